import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Drops two columns that were written and never read: the amount before rounding, and the time of a session's deletion. */
export class Migration20261122140000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_transaction" drop column if exists "medusa_amount", drop column if exists "detached_at";`
    )
  }

  override async down(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_transaction" add column if not exists "medusa_amount" text null, add column if not exists "detached_at" timestamptz null;`
    )
    this.addSql(`update "payment_service_transaction" set "medusa_amount" = "amount";`)
    this.addSql(
      `alter table if exists "payment_service_transaction" alter column "medusa_amount" set not null;`
    )
  }
}
