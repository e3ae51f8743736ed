import { Migration } from "@medusajs/framework/mikro-orm/migrations"

/** The kinds that the constraint knew; later kinds are stored as one of them. */
const KINDS =
  "'paid_without_order', 'paid_after_change', 'paid_late', 'paid_twice', 'amount_less', 'amount_more', 'currency_differs', 'not_ours', 'unknown_status', 'reversed', 'changed_since_handled', 'refund_due', 'order_unpaid', 'order_underpaid', 'payment_not_here', 'payment_not_there', 'records_differ', 'callback_parked', 'callback_unreadable', 'service_unreachable', 'credentials_refused', 'not_configured'"

/** Problems keep facts instead of sentences, and a new kind needs no migration. */
export class Migration20261122141000 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_problem" drop constraint if exists "payment_service_problem_kind_check", add column if not exists "facts" jsonb null, alter column "message" drop not null;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(
      `update "payment_service_problem" set "message" = "kind" || ': ' || coalesce("facts"::text, '') where "message" is null;`
    )
    this.addSql(
      `update "payment_service_problem" set "kind" = 'records_differ' where "kind" not in (${KINDS});`
    )
    this.addSql(
      `alter table if exists "payment_service_problem" drop column if exists "facts", drop constraint if exists "payment_service_problem_kind_check", alter column "message" set not null, add constraint "payment_service_problem_kind_check" check ("kind" in (${KINDS}));`
    )
  }
}
