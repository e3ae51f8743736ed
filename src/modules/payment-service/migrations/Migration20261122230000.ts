import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/**
 * A payout proves a refund, and one problem may have several. An index finds unknown payouts by age, and exports of payouts are
 * recorded.
 */
export class Migration20261122230000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_refund_proof" drop constraint if exists "payment_service_refund_proof_kind_check";`
    )
    this.addSql(
      `alter table if exists "payment_service_refund_proof" add column if not exists "payout_id" text null, add column if not exists "recorded_at" timestamptz null;`
    )
    this.addSql(
      `alter table if exists "payment_service_refund_proof" add constraint "payment_service_refund_proof_kind_check" check ("kind" in ('outside', 'payout'));`
    )
    this.addSql(`drop index if exists "IDX_payment_service_refund_proof_problem_id";`)
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_refund_proof_problem_id" ON "payment_service_refund_proof" ("problem_id") WHERE problem_id IS NOT NULL AND kind = 'outside' AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_refund_proof_payout_id" ON "payment_service_refund_proof" ("payout_id") WHERE payout_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_payout_unknown" ON "payment_service_payout" ("sent_at") WHERE state = 'unknown' AND deleted_at IS NULL;`
    )
    this.addSql(
      `alter table if exists "payment_service_export_record" drop constraint if exists "payment_service_export_record_source_check";`
    )
    this.addSql(
      `alter table if exists "payment_service_export_record" add constraint "payment_service_export_record_source_check" check ("source" in ('store', 'service', 'payouts', 'payout_journal'));`
    )
  }

  override async down(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_export_record" drop constraint if exists "payment_service_export_record_source_check";`
    )
    this.addSql(
      `delete from "payment_service_export_record" where "source" in ('payouts', 'payout_journal');`
    )
    this.addSql(
      `alter table if exists "payment_service_export_record" add constraint "payment_service_export_record_source_check" check ("source" in ('store', 'service'));`
    )
    this.addSql(`drop index if exists "IDX_payment_service_payout_unknown";`)
    this.addSql(`drop index if exists "IDX_payment_service_refund_proof_payout_id";`)
    this.addSql(`drop index if exists "IDX_payment_service_refund_proof_problem_id";`)
    this.addSql(`delete from "payment_service_refund_proof" where "kind" = 'payout';`)
    this.addSql(
      `CREATE UNIQUE INDEX IF NOT EXISTS "IDX_payment_service_refund_proof_problem_id" ON "payment_service_refund_proof" ("problem_id") WHERE problem_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `alter table if exists "payment_service_refund_proof" drop constraint if exists "payment_service_refund_proof_kind_check";`
    )
    this.addSql(
      `alter table if exists "payment_service_refund_proof" drop column if exists "payout_id", drop column if exists "recorded_at";`
    )
    this.addSql(
      `alter table if exists "payment_service_refund_proof" add constraint "payment_service_refund_proof_kind_check" check ("kind" in ('outside'));`
    )
  }
}
