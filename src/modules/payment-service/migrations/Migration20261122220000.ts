import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** Payouts and their journal. Texts written by people are searched by words, and an index alone gives the sums of the limits. */
export class Migration20261122220000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `create table if not exists "payment_service_payout" ("id" text not null, "state" text check ("state" in ('draft', 'awaiting_approval', 'sending', 'created', 'rejected', 'unknown', 'marked_sent', 'marked_not_sent', 'discarded')) not null default 'draft', "revision" integer not null default 1, "account" text not null, "base_url" text not null, "merchant_id" text not null, "amount" integer not null, "card_id" text null, "card_last4" text null, "card_brand" text null, "card_label" text null, "note" text null, "order_id" text null, "problem_id" text null, "transaction_row_id" text null, "idempotency_key" text not null, "attempts" integer not null default 0, "answer_by" timestamptz null, "body_digest" text null, "card_mac" text null, "key_check" text null, "limit_day" text not null, "held_until" timestamptz null, "amount_usdt" text null, "withdrawal_record_id" text null, "reason_code" text null, "reason_facts" jsonb null, "made_by" text not null, "made_by_name" text not null, "made_at" timestamptz not null, "edited_by" text null, "approved_by" text null, "approved_by_name" text null, "approved_at" timestamptz null, "sent_by" text null, "sent_by_name" text null, "sent_at" timestamptz null, "answered_at" timestamptz null, "proposed_sent" boolean null, "proposed_by" text null, "proposed_by_name" text null, "marked_by" text null, "marked_by_name" text null, "marked_at" timestamptz null, "mark_note" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_payout_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_deleted_at" ON "payment_service_payout" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_made_at" ON "payment_service_payout" ("made_at", "id") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_state" ON "payment_service_payout" ("state", "made_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_made_by" ON "payment_service_payout" ("made_by", "made_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_limit_day" ON "payment_service_payout" ("limit_day", "state") INCLUDE ("amount", "amount_usdt", "made_by", "held_until") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_amount" ON "payment_service_payout" ("amount", "card_last4") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_card_last4" ON "payment_service_payout" ("card_last4") WHERE deleted_at IS NULL;`
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
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_payout_withdrawal" ON "payment_service_payout" ("withdrawal_record_id") WHERE withdrawal_record_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_words" ON "payment_service_payout" USING gin (to_tsvector('simple', coalesce("note", '') || ' ' || "made_by_name")) WHERE deleted_at IS NULL;`
    )

    this.addSql(
      `create table if not exists "payment_service_payout_entry" ("id" text not null, "payout_id" text not null, "at" timestamptz not null, "kind" text not null, "facts" jsonb not null, "by" text null, "by_name" text null, "address" text null, "created_at" timestamptz not null default now(), "updated_at" timestamptz not null default now(), "deleted_at" timestamptz null, constraint "payment_service_payout_entry_pkey" primary key ("id"));`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_entry_deleted_at" ON "payment_service_payout_entry" ("deleted_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_entry_payout" ON "payment_service_payout_entry" ("payout_id", "at") WHERE deleted_at IS NULL;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop table if exists "payment_service_payout" cascade;`)

    this.addSql(`drop table if exists "payment_service_payout_entry" cascade;`)
  }
}
