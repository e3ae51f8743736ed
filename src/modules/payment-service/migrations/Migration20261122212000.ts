import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Every export of an admin is recorded. */
export class Migration20261122212000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "payment_service_export_record" ("id" text not null, "by" text not null, "source" text check ("source" in ('store', 'service')) not null, "format" text check ("format" in ('csv', 'xlsx', 'json')) not null, "name" text not null, "filters" jsonb not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "outcome" text check ("outcome" in ('running', 'complete', 'canceled', 'failed')) not null default 'running', "rows" integer not null default 0, "error" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_export_record_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_export_record_deleted_at" ON "payment_service_export_record" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_export_record_started_at" ON "payment_service_export_record" ("started_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_export_record" cascade;`)
  }
}
