import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Callbacks make their transactions due for the watcher, and are not retried themselves. */
export class Migration20261122170000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `update "payment_service_transaction" set "hinted_at" = now(), "watch_at" = now() where "deleted_at" is null and "transaction_key" in (select jsonb_array_elements_text("transaction_ids") from "payment_service_callback" where "state" in ('waiting', 'parked'));`
    )
    this.addSql(`delete from "payment_service_problem" where "kind" = 'callback_parked';`)
    this.addSql(`drop index if exists "IDX_payment_service_callback_due";`)
    this.addSql(
      `alter table if exists "payment_service_callback" drop column if exists "state", drop column if exists "attempts", drop column if exists "next_attempt_at";`
    )
    this.addSql(
      `create table if not exists "payment_service_unknown_id" ("id" text not null, "received_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_unknown_id_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_unknown_id_deleted_at" ON "payment_service_unknown_id" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_unknown_id_received_at" ON "payment_service_unknown_id" ("received_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_unknown_id" cascade;`)
    this.addSql(
      `alter table if exists "payment_service_callback" add column if not exists "state" text check ("state" in ('waiting', 'handled', 'unknown', 'parked')) not null default 'handled', add column if not exists "attempts" integer not null default 0, add column if not exists "next_attempt_at" timestamptz null;`
    )
    this.addSql(
      `alter table if exists "payment_service_callback" alter column "state" set default 'waiting';`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_callback_due" ON "payment_service_callback" ("state", "next_attempt_at") WHERE deleted_at IS NULL;`
    )
  }
}
