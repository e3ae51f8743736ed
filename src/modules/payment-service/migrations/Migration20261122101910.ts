import { Migration } from "@medusajs/framework/mikro-orm/migrations"

import { PROBLEM_KINDS } from "../../../settlement/problems"
import { TRANSACTION_EXCEPTIONS } from "../../../settlement/transaction-state"

const SINCE_HANDLED = "changed_since_handled"
const listOf = (names: readonly string[]) => names.map((name) => `'${name}'`).join(", ")

/** Keeps the state of money that a person took care of, and the refunds that were asked for. */
export class Migration20261122101910 extends Migration {
  override async up(): Promise<void> {
    this.addSql(
      `alter table if exists "payment_service_transaction" add column if not exists "handled_as" text check ("handled_as" in ('paid', 'reversed')) null, add column if not exists "handled_amount" text null, add column if not exists "handled_currency" text null, add column if not exists "refunds_asked" jsonb null;`
    )
    this.checkNames(TRANSACTION_EXCEPTIONS, PROBLEM_KINDS)
    // The problems show the money that persons have taken care of so far.
    this.addSql(
      `update "payment_service_transaction" t
       set "handled_as" = case when p."kind" = 'reversed' then 'reversed' else 'paid' end,
         "handled_amount" = p."amount", "handled_currency" = p."currency"
       from (
         select distinct on ("cause") "cause", "kind", "amount", "currency" from "payment_service_problem"
         where "resolution" in ('handled', 'refunded_outside') and "deleted_at" is null
         order by "cause", "closed_at" desc) p
       where p."cause" = 'transaction:' || t."id";`
    )
    // A refund that is due counts as asked for.
    this.addSql(
      `update "payment_service_transaction" t
       set "refunds_asked" = jsonb_build_array(jsonb_build_object(
         'amount', p."amount", 'at', to_char(p."opened_at" at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')))
       from "payment_service_problem" p
       where p."cause" = 'refund:' || t."id" and p."amount" is not null and p."closed_at" is null
         and p."deleted_at" is null;`
    )
  }

  override async down(): Promise<void> {
    this.addSql(
      `update "payment_service_problem" set "kind" = 'records_differ' where "kind" = '${SINCE_HANDLED}';`
    )
    this.addSql(
      `update "payment_service_transaction" set "exception" = null where "exception" = '${SINCE_HANDLED}';`
    )
    this.checkNames(
      TRANSACTION_EXCEPTIONS.filter((name) => name !== SINCE_HANDLED),
      PROBLEM_KINDS.filter((name) => name !== SINCE_HANDLED)
    )
    this.addSql(
      `alter table if exists "payment_service_transaction" drop column if exists "handled_as", drop column if exists "handled_amount", drop column if exists "handled_currency", drop column if exists "refunds_asked";`
    )
  }

  private checkNames(exceptions: readonly string[], kinds: readonly string[]): void {
    this.checkName("payment_service_transaction", "exception", exceptions)
    this.checkName("payment_service_problem", "kind", kinds)
  }

  private checkName(table: string, column: string, names: readonly string[]): void {
    const constraint = `${table}_${column}_check`
    this.addSql(
      `alter table if exists "${table}" drop constraint if exists "${constraint}", add constraint "${constraint}" check ("${column}" in (${listOf(names)}));`
    )
  }
}
