import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const INDEX = "IDX_payment_service_transaction_paid_amount"

/** Payments are found by the sum that was paid, too, where it is not the sum that was asked for. */
export class Migration20261124223000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "${INDEX}" ON "payment_service_transaction" (("read_amount"::numeric)) ` +
        "WHERE read_amount::numeric <> amount::numeric AND deleted_at IS NULL;"
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "${INDEX}";`)
  }
}
