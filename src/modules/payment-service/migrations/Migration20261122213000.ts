import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const RUN = `"payment_service_reconciliation_run"`

const TRANSACTION = `"payment_service_transaction"`

/**
 * The statements of `overview.ts` and `places.ts` read these indexes instead of the rows; the conditions are those of
 * rules-in-sql.ts.
 */
const INDEXES = {
  opened_at: `${TRANSACTION} ("opened_at") INCLUDE ("cart_id", "payment_collection_id", "state") WHERE deleted_at IS NULL`,
  paid: `${TRANSACTION} ("paid_at") INCLUDE ("opened_at", "method", "read_amount", "read_currency", "amount", "currency") WHERE state = 'paid' AND paid_at IS NOT NULL AND deleted_at IS NULL AND (exception IS NULL OR exception NOT IN ('reversed', 'merchant_differs', 'reference_differs')) AND (handled_as IS NULL OR handled_as <> 'reversed')`,
  unsettled: `${TRANSACTION} ("paid_at") WHERE state = 'paid' AND settled_at IS NULL AND handled_at IS NULL AND deleted_at IS NULL`,
  place: `${TRANSACTION} ((lower("merchant_id") || '@' || "base_url"), "status") WHERE deleted_at IS NULL`,
}

/** Comparisons are kept for 90 days instead of only the last one, and the overview gets indexes of its own. */
export class Migration20261122213000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists ${RUN} add column if not exists "merchant_id" text null, add column if not exists "base_url" text null, add column if not exists "problems" integer null, add column if not exists "reasons" jsonb null;`
    )
    // The id was merchant and address until now, and an address cannot contain another "@".
    this.addSql(
      `update ${RUN} set "merchant_id" = lower(split_part("id", '@', 1)), "base_url" = split_part("id", '@', 2) where "merchant_id" is null;`
    )
    this.addSql(
      `alter table if exists ${RUN} alter column "merchant_id" set not null, alter column "base_url" set not null;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_reconciliation_run_merchant" ON ${RUN} ("merchant_id", "base_url", "started_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_reconciliation_run_started_at" ON ${RUN} ("started_at") WHERE deleted_at IS NULL;`
    )

    for (const [name, index] of Object.entries(INDEXES)) {
      this.addSql(`drop index if exists "IDX_payment_service_transaction_${name}";`)
      this.addSql(
        `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_${name}" ON ${index};`
      )
    }
  }

  override async down(): Promise<void> {
    for (const name of Object.keys(INDEXES)) {
      this.addSql(`drop index if exists "IDX_payment_service_transaction_${name}";`)
    }
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_opened_at" ON ${TRANSACTION} ("opened_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `delete from ${RUN} old where exists (select 1 from ${RUN} later where later."merchant_id" = old."merchant_id" and later."base_url" = old."base_url" and (later."started_at", later."id") > (old."started_at", old."id"));`
    )
    this.addSql(`update ${RUN} set "id" = "merchant_id" || '@' || "base_url";`)
    this.addSql(`drop index if exists "IDX_payment_service_reconciliation_run_merchant";`)
    this.addSql(`drop index if exists "IDX_payment_service_reconciliation_run_started_at";`)
    this.addSql(
      `alter table if exists ${RUN} drop column if exists "merchant_id", drop column if exists "base_url", drop column if exists "problems", drop column if exists "reasons";`
    )
  }
}
