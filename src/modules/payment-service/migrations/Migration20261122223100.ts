import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const TRANSACTION = `"payment_service_transaction"`

/** Each index has the order of a list, so its first page is found quickly whatever else is in the table. */
const INDEXES = {
  out_of_order: `("exception", "opened_at") WHERE exception IS NOT NULL AND deleted_at IS NULL`,
  amount: `(("amount"::numeric), "opened_at") WHERE deleted_at IS NULL`,
  last_paid: `("paid_at" DESC NULLS LAST, "id" DESC) WHERE deleted_at IS NULL`,
}

/** Lists answer at once in a store with millions of payments, and a listed record keeps the transaction it belongs to. */
export class Migration20261122223100 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`drop index if exists "IDX_payment_service_transaction_amount";`)
    this.addSql(`drop index if exists "IDX_payment_service_transaction_paid_at";`)
    for (const [name, index] of Object.entries(INDEXES)) {
      this.addSql(
        `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_${name}" ON ${TRANSACTION} ${index};`
      )
    }
    // Older listings lack the new column, and are fetched again.
    this.addSql(`delete from "payment_service_listed_record";`)
    this.addSql(`delete from "payment_service_listing";`)
    this.addSql(
      `alter table if exists "payment_service_listed_record" add column if not exists "transaction_row_id" text null;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_listed_record" drop column if exists "transaction_row_id";`
    )
    for (const name of Object.keys(INDEXES)) {
      this.addSql(`drop index if exists "IDX_payment_service_transaction_${name}";`)
    }
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_amount" ON ${TRANSACTION} (("amount"::numeric)) WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_paid_at" ON ${TRANSACTION} ("paid_at") WHERE deleted_at IS NULL;`
    )
  }
}
