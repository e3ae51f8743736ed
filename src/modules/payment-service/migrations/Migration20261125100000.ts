import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const PROBLEM = `"payment_service_problem"`

/** A person's decision about an order's balance ends when the balance is even again. */
export class Migration20261125100000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists ${PROBLEM} add column if not exists "lapsed_at" timestamptz null;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists ${PROBLEM} drop column if exists "lapsed_at";`)
  }
}
