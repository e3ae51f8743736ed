import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** The number of payments for a cart is counted by their opening times. */
export class Migration20261121141500 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`drop index if exists "IDX_payment_service_transaction_cart_id";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_cart_id" ON "payment_service_transaction" ("cart_id", "opened_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_payment_service_transaction_cart_id";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_cart_id" ON "payment_service_transaction" ("cart_id", "created_at") WHERE deleted_at IS NULL;`
    )
  }
}
