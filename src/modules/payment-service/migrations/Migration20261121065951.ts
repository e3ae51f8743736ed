import { Migration } from "@medusajs/framework/mikro-orm/migrations"

export class Migration20261121065951 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "payment_service_event" ("id" text not null, "name" text not null, "data" jsonb not null, "written_at" timestamptz not null, "send_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_event_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_event_deleted_at" ON "payment_service_event" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_event_send_at" ON "payment_service_event" ("send_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_problem" ("id" text not null, "kind" text check ("kind" in ('paid_without_order', 'paid_after_change', 'paid_late', 'paid_twice', 'amount_less', 'amount_more', 'currency_differs', 'not_ours', 'unknown_status', 'reversed', 'refund_due', 'order_unpaid', 'payment_not_here', 'payment_not_there', 'records_differ', 'callback_parked', 'callback_unreadable', 'service_unreachable', 'credentials_refused', 'not_configured')) not null, "cause" text not null, "transaction_row_id" text null, "transaction_id" text null, "session_id" text null, "cart_id" text null, "order_id" text null, "customer_id" text null, "amount" text null, "currency" text null, "message" text not null, "opened_at" timestamptz not null, "last_seen_at" timestamptz not null, "closed_at" timestamptz null, "closed_by" text null, "resolution" text check ("resolution" in ('settled', 'accepted', 'refunded_outside', 'handled')) null, "note" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_problem_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_deleted_at" ON "payment_service_problem" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_problem_open_cause" ON "payment_service_problem" ("cause") WHERE closed_at IS NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_opened_at" ON "payment_service_problem" ("opened_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_transaction_row_id" ON "payment_service_problem" ("transaction_row_id") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_reconciliation_run" ("id" text not null, "from" timestamptz not null, "to" timestamptz not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "records" integer not null default 0, "matched" integer not null default 0, "differences" integer not null default 0, "settled" integer not null default 0, "error" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_reconciliation_run_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_reconciliation_run_deleted_at" ON "payment_service_reconciliation_run" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_refund_proof" ("id" text not null, "transaction_row_id" text not null, "amount" text not null, "currency" text not null, "kind" text check ("kind" in ('outside')) not null, "problem_id" text null, "note" text null, "given_by" text null, "given_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_refund_proof_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_refund_proof_deleted_at" ON "payment_service_refund_proof" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_refund_proof_row" ON "payment_service_refund_proof" ("transaction_row_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_refund_proof_problem_id" ON "payment_service_refund_proof" ("problem_id") WHERE problem_id IS NOT NULL AND deleted_at IS NULL;`
    )

    this.addSql(
      `alter table if exists "payment_service_transaction" add column if not exists "opened_at" timestamptz, add column if not exists "exception_at" timestamptz null, add column if not exists "exception_reason" text null, add column if not exists "handled_at" timestamptz null, add column if not exists "read_amount" text null, add column if not exists "read_currency" text null, add column if not exists "paid_late" boolean not null default false, add column if not exists "accepted_amount" text null, add column if not exists "accepted_cart_total" text null, add column if not exists "deferred_at" timestamptz null, add column if not exists "told_state" text check ("told_state" in ('creating', 'refused', 'unknown', 'pending', 'paid', 'canceled', 'expired')) not null default 'pending', add column if not exists "listed_at" timestamptz null;`
    )
    // Rows from before this column were opened when they were written.
    this.addSql(
      `update "payment_service_transaction" set "opened_at" = "created_at" where "opened_at" is null;`
    )
    this.addSql(`alter table "payment_service_transaction" alter column "opened_at" set not null;`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_exception" ON "payment_service_transaction" ("exception") WHERE exception IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_untold" ON "payment_service_transaction" ("opened_at") WHERE told_state <> state AND deleted_at IS NULL;`
    )

    this.addSql(
      `alter table if exists "payment_service_watcher_run" add column if not exists "silent_since" timestamptz null;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_event" cascade;`)

    this.addSql(`drop table if exists "payment_service_problem" cascade;`)

    this.addSql(`drop table if exists "payment_service_reconciliation_run" cascade;`)

    this.addSql(`drop table if exists "payment_service_refund_proof" cascade;`)

    this.addSql(`drop index if exists "IDX_payment_service_transaction_exception";`)
    this.addSql(`drop index if exists "IDX_payment_service_transaction_untold";`)
    this.addSql(
      `alter table if exists "payment_service_transaction" drop column if exists "opened_at", drop column if exists "exception_at", drop column if exists "exception_reason", drop column if exists "handled_at", drop column if exists "read_amount", drop column if exists "read_currency", drop column if exists "paid_late", drop column if exists "accepted_amount", drop column if exists "accepted_cart_total", drop column if exists "deferred_at", drop column if exists "told_state", drop column if exists "listed_at";`
    )

    this.addSql(
      `alter table if exists "payment_service_watcher_run" drop column if exists "silent_since";`
    )
  }
}
