import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const PLACE = `(lower("merchant_id") || '@' || "base_url")`

/**
 * Indexes by which each statement of the watcher finds due rows, however many rows there are. Models cannot have indexes over
 * expressions; these use the expressions of rules-in-sql.ts.
 */
export class Migration20261122071300 extends Migration {
  override async up(): Promise<void> {
    this.addSql(`drop index if exists "IDX_payment_service_transaction_watch_at";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_watched" ON "payment_service_transaction" (${PLACE}, "watch_at") WHERE watch_at IS NOT NULL AND (settled_at IS NULL OR exception IS NOT NULL OR hinted_at > settled_at) AND transaction_id IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_unknown_status" ON "payment_service_transaction" (('status:' || lower("merchant_id") || ':' || coalesce("status", ''))) WHERE exception = 'unknown_status' AND deleted_at IS NULL;`
    )

    this.addSql(`drop index if exists "IDX_payment_service_transaction_exception";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_exception" ON "payment_service_transaction" ("exception") WHERE exception IS NOT NULL AND (handled_at IS NULL OR exception_at > handled_at) AND deleted_at IS NULL;`
    )
    this.addSql(`drop index if exists "IDX_payment_service_transaction_untold";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_untold" ON "payment_service_transaction" ("opened_at") WHERE told_state <> state AND (settled_at IS NOT NULL OR (state IN ('canceled', 'expired') AND apply_after IS NULL)) AND deleted_at IS NULL;`
    )

    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_cause" ON "payment_service_problem" ("cause") WHERE deleted_at IS NULL;`
    )
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_problem_open_kind" ON "payment_service_problem" ("kind") WHERE closed_at IS NULL AND deleted_at IS NULL;`
    )

    // From now on the service's silence is kept for each merchant and address.
    this.addSql(`delete from "payment_service_watcher_run" where "id" = 'watcher';`)
    this.addSql(
      `update "payment_service_problem" set "closed_at" = now(), "resolution" = 'settled' where "cause" = 'service:unreachable' and "closed_at" is null;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(`drop index if exists "IDX_payment_service_problem_open_kind";`)
    this.addSql(`drop index if exists "IDX_payment_service_problem_cause";`)
    this.addSql(`drop index if exists "IDX_payment_service_transaction_untold";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_untold" ON "payment_service_transaction" ("opened_at") WHERE told_state <> state AND deleted_at IS NULL;`
    )
    this.addSql(`drop index if exists "IDX_payment_service_transaction_exception";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_exception" ON "payment_service_transaction" ("exception") WHERE exception IS NOT NULL AND deleted_at IS NULL;`
    )
    this.addSql(`drop index if exists "IDX_payment_service_transaction_unknown_status";`)
    this.addSql(`drop index if exists "IDX_payment_service_transaction_watched";`)
    this.addSql(
      `CREATE INDEX IF NOT EXISTS "IDX_payment_service_transaction_watch_at" ON "payment_service_transaction" ("watch_at") WHERE deleted_at IS NULL;`
    )
    this.addSql(`delete from "payment_service_watcher_run";`)
  }
}
