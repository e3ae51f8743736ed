import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const TRANSACTION = `"payment_service_transaction"`

/** Transactions keep the description that the service gets, for exports. */
export class Migration20261125040500 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists ${TRANSACTION} add column if not exists "description" text null;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists ${TRANSACTION} drop column if exists "description";`)
  }
}
