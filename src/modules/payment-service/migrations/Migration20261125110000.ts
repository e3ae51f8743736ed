import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** The tables of the models, with the indexes that models can declare; generated. */
export class Migration20261125110000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "payment_service_callback" ("id" text not null, "transaction_ids" jsonb not null, "received_at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_callback_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_callback_deleted_at" ON "payment_service_callback" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_callback_received_at" ON "payment_service_callback" ("received_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_callback_token" ("id" text not null, "digest" text not null, "token" text null, "source" text check ("source" in ('generated', 'option')) not null, "replaced_at" timestamptz null, "reached_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_callback_token_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_callback_token_deleted_at" ON "payment_service_callback_token" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_callback_token_digest_unique" ON "payment_service_callback_token" ("digest") WHERE deleted_at IS NULL;`
    )

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
      `create table if not exists "payment_service_export_record" ("id" text not null, "by" text not null, "source" text check ("source" in ('store', 'service', 'payouts')) not null, "format" text check ("format" in ('csv', 'xlsx', 'json')) not null, "from" timestamptz null, "to" timestamptz null, "rows" integer not null, "outcome" text check ("outcome" in ('complete', 'canceled', 'failed')) not null, "at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_export_record_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_export_record_deleted_at" ON "payment_service_export_record" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_export_record_at" ON "payment_service_export_record" ("at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_generated_key" ("id" text not null, "value" text not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_generated_key_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_generated_key_deleted_at" ON "payment_service_generated_key" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_journal_entry" ("id" text not null, "transaction_row_id" text not null, "at" timestamptz not null, "kind" text not null, "facts" jsonb not null, "by" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_journal_entry_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_journal_entry_deleted_at" ON "payment_service_journal_entry" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_journal_entry_transaction_row_id_at" ON "payment_service_journal_entry" ("transaction_row_id", "at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_lease" ("id" text not null, "holder" text not null, "until" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_lease_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_lease_deleted_at" ON "payment_service_lease" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_ledger_entry" ("id" text not null, "transaction_row_id" text null, "order_id" text null, "kind" text check ("kind" in ('asked', 'outside', 'payout', 'reversed', 'waived', 'accepted')) not null, "amount" text not null, "currency" text not null, "refund_id" text null, "problem_id" text null, "payout_id" text null, "note" text null, "by" text null, "at" timestamptz not null, "to_book_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_ledger_entry_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_ledger_entry_deleted_at" ON "payment_service_ledger_entry" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_ledger_entry_transaction_row_id" ON "payment_service_ledger_entry" ("transaction_row_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_ledger_entry_order_id" ON "payment_service_ledger_entry" ("order_id") WHERE order_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_ledger_entry_problem_id_unique" ON "payment_service_ledger_entry" ("problem_id") WHERE problem_id IS NOT NULL AND kind IN ('outside', 'reversed') AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_ledger_entry_payout_id_unique" ON "payment_service_ledger_entry" ("payout_id") WHERE payout_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_ledger_entry_to_book_at" ON "payment_service_ledger_entry" ("to_book_at") WHERE to_book_at IS NOT NULL AND deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_payout" ("id" text not null, "state" text check ("state" in ('draft', 'awaiting_approval', 'sending', 'created', 'rejected', 'unknown', 'marked_sent', 'marked_not_sent', 'discarded')) not null default 'draft', "revision" integer not null default 1, "account" text not null, "base_url" text not null, "merchant_id" text not null, "amount" integer not null, "card_id" text null, "card_last4" text null, "card_brand" text null, "card_label" text null, "note" text null, "order_id" text null, "problem_id" text null, "transaction_row_id" text null, "idempotency_key" text not null, "attempts" integer not null default 0, "answer_by" timestamptz null, "body_digest" text null, "card_mac" text null, "limit_day" text not null, "amount_usdt" text null, "withdrawal_record_id" text null, "reason_code" text null, "reason_facts" jsonb null, "made_by" text not null, "made_by_name" text not null, "made_at" timestamptz not null, "edited_by" text null, "approved_by" text null, "approved_by_name" text null, "approved_at" timestamptz null, "sent_by" text null, "sent_by_name" text null, "sent_at" timestamptz null, "answered_at" timestamptz null, "marked_by" text null, "marked_by_name" text null, "marked_at" timestamptz null, "mark_note" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_payout_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_deleted_at" ON "payment_service_payout" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_made_at" ON "payment_service_payout" ("made_at", "id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_amount" ON "payment_service_payout" ("amount", "card_last4") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_order_id" ON "payment_service_payout" ("order_id") WHERE order_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_problem_id" ON "payment_service_payout" ("problem_id") WHERE problem_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_transaction_row_id" ON "payment_service_payout" ("transaction_row_id") WHERE transaction_row_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_answer_by" ON "payment_service_payout" ("answer_by") WHERE state = 'sending' AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_unknown" ON "payment_service_payout" ("sent_at") WHERE state = 'unknown' AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_payout_withdrawal" ON "payment_service_payout" ("withdrawal_record_id") WHERE withdrawal_record_id IS NOT NULL AND deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_payout_entry" ("id" text not null, "payout_id" text null, "at" timestamptz not null, "kind" text not null, "facts" jsonb not null, "by" text null, "by_name" text null, "address" text null, "forwarded_address" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_payout_entry_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_entry_deleted_at" ON "payment_service_payout_entry" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_entry_payout" ON "payment_service_payout_entry" ("payout_id", "at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_problem" ("id" text not null, "kind" text not null, "cause" text not null, "transaction_row_id" text null, "transaction_id" text null, "session_id" text null, "cart_id" text null, "order_id" text null, "customer_id" text null, "amount" text null, "currency" text null, "facts" jsonb not null, "opened_at" timestamptz not null, "last_seen_at" timestamptz not null, "closed_at" timestamptz null, "closed_by" text null, "resolution" text check ("resolution" in ('settled', 'accepted', 'refunded_outside', 'handled')) null, "note" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_problem_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_deleted_at" ON "payment_service_problem" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_problem_cause_unique" ON "payment_service_problem" ("cause") WHERE closed_at IS NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_cause" ON "payment_service_problem" ("cause") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_kind" ON "payment_service_problem" ("kind") WHERE closed_at IS NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_opened_at" ON "payment_service_problem" ("opened_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_transaction_row_id" ON "payment_service_problem" ("transaction_row_id") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_reconciliation_run" ("id" text not null, "merchant_id" text not null, "base_url" text not null, "from" timestamptz not null, "to" timestamptz not null, "started_at" timestamptz not null, "finished_at" timestamptz null, "records" integer not null default 0, "matched" integer not null default 0, "differences" integer not null default 0, "settled" integer not null default 0, "problems" integer null, "error" text null, "reasons" jsonb null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_reconciliation_run_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_reconciliation_run_deleted_at" ON "payment_service_reconciliation_run" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_reconciliation_run_merchant" ON "payment_service_reconciliation_run" ("merchant_id", "base_url", "started_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_reconciliation_run_started_at" ON "payment_service_reconciliation_run" ("started_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_silence" ("id" text not null, "since" timestamptz not null, "unanswered" integer not null, "paused_until" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_silence_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_silence_deleted_at" ON "payment_service_silence" ("deleted_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_subscription_lookup" ("id" text not null, "named_at" timestamptz not null, "due_at" timestamptz null, "found_at" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_subscription_lookup_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_subscription_lookup_deleted_at" ON "payment_service_subscription_lookup" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_subscription_lookup_due_at" ON "payment_service_subscription_lookup" ("due_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_subscription_lookup_named_at" ON "payment_service_subscription_lookup" ("named_at") WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_transaction" ("id" text not null, "account" text not null, "base_url" text not null, "merchant_id" text not null, "method" text not null, "session_id" text not null, "payment_collection_id" text not null, "cart_id" text null, "order_id" text null, "customer_id" text null, "payer_id" text null, "amount" text not null, "currency" text not null, "description" text not null, "transaction_id" text null, "redirect" text null, "qr" text null, "opened_at" timestamptz not null, "expires_at" timestamptz null, "state" text check ("state" in ('creating', 'refused', 'unknown', 'pending', 'paid', 'canceled', 'expired')) not null default 'creating', "exception" text check ("exception" in ('amount_less', 'amount_more', 'currency_differs', 'merchant_differs', 'reference_differs', 'unknown_status', 'reversed', 'changed_since_handled', 'session_gone', 'session_differs', 'cart_changed', 'order_canceled', 'payment_canceled', 'paid_twice', 'completion_failed')) null, "exception_at" timestamptz null, "exception_reasons" jsonb null, "handled_at" timestamptz null, "handled" jsonb null, "status" text null, "read_amount" text null, "read_currency" text null, "figures" jsonb null, "read_at" timestamptz null, "claimed_until" timestamptz null, "paid_at" timestamptz null, "paid_late" boolean not null default false, "accepted" jsonb null, "deferred_at" timestamptz null, "completion" jsonb null, "settled_at" timestamptz null, "published_state" text check ("published_state" in ('creating', 'refused', 'unknown', 'pending', 'paid', 'canceled', 'expired')) not null default 'pending', "hinted_at" timestamptz null, "watch_at" timestamptz null, "apply_attempts" integer not null default 0, "apply_after" timestamptz null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_transaction_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_deleted_at" ON "payment_service_transaction" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_state_opened_at" ON "payment_service_transaction" ("state", "opened_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_customer_id" ON "payment_service_transaction" ("customer_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_payer_id" ON "payment_service_transaction" ("payer_id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_exception_opened_at" ON "payment_service_transaction" ("exception", "opened_at") WHERE exception IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_completion" ON "payment_service_transaction" ("cart_id") WHERE completion IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_exception" ON "payment_service_transaction" ("exception") WHERE exception IS NOT NULL AND (handled_at IS NULL OR exception_at > handled_at) AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_unsettled" ON "payment_service_transaction" ("opened_at") WHERE state = 'paid' AND settled_at IS NULL AND handled_at IS NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_unpublished" ON "payment_service_transaction" ("opened_at") WHERE published_state <> state AND (settled_at IS NOT NULL OR (state IN ('canceled', 'expired') AND apply_after IS NULL)) AND deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_settings" ("id" text not null, "account" text not null, "version" integer not null, "options" jsonb not null, "secrets" jsonb not null, "by" text not null, "by_name" text not null, "at" timestamptz not null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_settings_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_settings_deleted_at" ON "payment_service_settings" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_settings_version_unique" ON "payment_service_settings" ("version") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_callback" cascade;`)

    this.addSql(`drop table if exists "payment_service_callback_token" cascade;`)

    this.addSql(`drop table if exists "payment_service_event" cascade;`)

    this.addSql(`drop table if exists "payment_service_export_record" cascade;`)

    this.addSql(`drop table if exists "payment_service_generated_key" cascade;`)

    this.addSql(`drop table if exists "payment_service_journal_entry" cascade;`)

    this.addSql(`drop table if exists "payment_service_lease" cascade;`)

    this.addSql(`drop table if exists "payment_service_ledger_entry" cascade;`)

    this.addSql(`drop table if exists "payment_service_payout" cascade;`)

    this.addSql(`drop table if exists "payment_service_payout_entry" cascade;`)

    this.addSql(`drop table if exists "payment_service_problem" cascade;`)

    this.addSql(`drop table if exists "payment_service_reconciliation_run" cascade;`)

    this.addSql(`drop table if exists "payment_service_silence" cascade;`)

    this.addSql(`drop table if exists "payment_service_subscription_lookup" cascade;`)

    this.addSql(`drop table if exists "payment_service_settings" cascade;`)

    this.addSql(`drop table if exists "payment_service_transaction" cascade;`)
  }
}
