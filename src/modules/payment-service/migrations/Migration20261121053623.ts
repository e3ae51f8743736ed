import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export class Migration20261121053623 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_generated_key" drop constraint if exists "payment_service_generated_key_name_unique";`
    )
    this.addSql(
      `create table if not exists "payment_service_callback" ("id" text not null, "transaction_ids" jsonb not null, "size" integer not null, "digest" text not null, "received_at" timestamptz not null, "state" text check ("state" in ('waiting', 'handled', 'unknown', 'parked')) not null default 'waiting', "attempts" integer not null default 0, "next_attempt_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_callback_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_callback_deleted_at" ON "payment_service_callback" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_callback_due" ON "payment_service_callback" ("state", "next_attempt_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_callback_received_at" ON "payment_service_callback" ("received_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_callback_token" ("id" text not null, "digest" text not null, "token" text null, "source" text check ("source" in ('generated', 'option')) not null, "replaced_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_callback_token_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_callback_token_deleted_at" ON "payment_service_callback_token" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_callback_token_digest" ON "payment_service_callback_token" ("digest") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_generated_key" ("id" text not null, "name" text not null, "value" text not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_generated_key_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_generated_key_name_unique" ON "payment_service_generated_key" ("name") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_generated_key_deleted_at" ON "payment_service_generated_key" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_lease" ("id" text not null, "holder" text not null, "until" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_lease_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_lease_deleted_at" ON "payment_service_lease" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_transaction" ("id" text not null, "account" text not null, "base_url" text not null, "merchant_id" text not null, "method" text not null, "provider_id" text not null, "session_id" text not null, "return_session_id" text not null, "payment_collection_id" text not null, "cart_id" text null, "order_id" text null, "customer_id" text null, "amount" text not null, "medusa_amount" text not null, "currency" text not null, "transaction_id" text null, "transaction_key" text null, "redirect" text null, "qr" text null, "usdt_rate" text null, "expires_at" timestamptz null, "state" text check ("state" in ('creating', 'refused', 'unknown', 'pending', 'paid', 'canceled', 'expired')) not null default 'creating', "exception" text check ("exception" in ('amount_less', 'amount_more', 'currency_differs', 'merchant_differs', 'reference_differs', 'unknown_status', 'reversed', 'session_gone', 'session_differs', 'cart_changed', 'order_canceled', 'payment_canceled', 'paid_twice', 'completion_failed')) null, "status" text null, "read_at" timestamptz null, "poll_claimed_at" timestamptz null, "paid_at" timestamptz null, "detached_at" timestamptz null, "settled_at" timestamptz null, "hinted_at" timestamptz null, "watch_at" timestamptz null, "apply_attempts" integer not null default 0, "apply_after" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_transaction_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_deleted_at" ON "payment_service_transaction" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_transaction_transaction_key" ON "payment_service_transaction" ("transaction_key") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_session_id" ON "payment_service_transaction" ("session_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_return_session_id" ON "payment_service_transaction" ("return_session_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_payment_collection_id" ON "payment_service_transaction" ("payment_collection_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_cart_id" ON "payment_service_transaction" ("cart_id", "created_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_order_id" ON "payment_service_transaction" ("order_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_watch_at" ON "payment_service_transaction" ("watch_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_watcher_run" ("id" text not null, "finished_at" timestamptz not null, "settled" integer not null, "failed" integer not null, "silent_passes" integer not null, "paused_until" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_watcher_run_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_watcher_run_deleted_at" ON "payment_service_watcher_run" ("deleted_at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_callback" cascade;`)

    this.addSql(`drop table if exists "payment_service_callback_token" cascade;`)

    this.addSql(`drop table if exists "payment_service_generated_key" cascade;`)

    this.addSql(`drop table if exists "payment_service_lease" cascade;`)

    this.addSql(`drop table if exists "payment_service_transaction" cascade;`)

    this.addSql(`drop table if exists "payment_service_watcher_run" cascade;`)
  }
}
