import { Migration } from "@medusajs/framework/mikro-orm/migrations"

const KINDS = [
  ...["paid_without_order", "paid_after_change", "paid_late", "paid_twice"],
  ...["amount_less", "amount_more", "currency_differs", "not_ours", "unknown_status", "reversed"],
  ...["refund_due", "order_unpaid", "payment_not_here", "payment_not_there", "records_differ"],
  ...["callback_parked", "callback_unreadable", "service_unreachable", "credentials_refused"],
  "not_configured",
]

/** A new kind of problem: an order was paid less than it is worth. */
export class Migration20261122070000 extends Migration {
  override async up(): Promise<void> {
    this.allowKinds([...KINDS, "order_underpaid"])
  }

  override async down(): Promise<void> {
    this.addSql(`delete from "payment_service_problem" where "kind" = 'order_underpaid';`)
    this.allowKinds(KINDS)
  }

  private allowKinds(kinds: string[]): void {
    const list = kinds.map((kind) => `'${kind}'`).join(", ")
    this.addSql(
      `alter table if exists "payment_service_problem" drop constraint if exists "payment_service_problem_kind_check";`
    )
    this.addSql(
      `alter table if exists "payment_service_problem" add constraint "payment_service_problem_kind_check" check ("kind" in (${list}));`
    )
  }
}
