import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const RECORD = `"payment_service_export_record"`

/** The reason why an export broke off gets its code, for texts in the reader's language. */
export class Migration20261125023000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`alter table if exists ${RECORD} add column if not exists "error_code" text null;`)
  }

  override async down(): Promise<void> {
    this.addSql(`alter table if exists ${RECORD} drop column if exists "error_code";`)
  }
}
