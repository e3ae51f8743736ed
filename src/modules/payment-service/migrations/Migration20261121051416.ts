import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export class Migration20261121051416 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "payment_service_watcher_run" ("id" text not null, "finished_at" timestamptz not null, "settled" integer not null, "failed" integer not null, "silent_passes" integer not null, "paused_until" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_watcher_run_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_watcher_run_deleted_at" ON "payment_service_watcher_run" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `alter table if exists "payment_service_transaction" add column if not exists "watch_at" timestamptz null;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_watch_at" ON "payment_service_transaction" ("watch_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_watcher_run" cascade;`)

    this.addSql(`drop index if exists "IDX_payment_service_transaction_watch_at";`)
    this.addSql(
      `alter table if exists "payment_service_transaction" drop column if exists "watch_at";`
    )
  }
}
