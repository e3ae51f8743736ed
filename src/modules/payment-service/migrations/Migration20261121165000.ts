import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Columns for taking turns while the service is silent, and for carts that are being completed. */
export class Migration20261121165000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_transaction" add column if not exists "tried_at" timestamptz null, add column if not exists "placing_at" timestamptz null, add column if not exists "placing_of" jsonb null;`
    )
    // The watcher has never looked at settled rows, whatever this column says.
    this.addSql(
      `update "payment_service_transaction" set "watch_at" = null where "settled_at" is not null;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_placing_at" ON "payment_service_transaction" ("placing_at") WHERE placing_at IS NOT NULL AND deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_payment_service_transaction_placing_at";`)
    this.addSql(
      `alter table if exists "payment_service_transaction" drop column if exists "tried_at", drop column if exists "placing_at", drop column if exists "placing_of";`
    )
  }
}
