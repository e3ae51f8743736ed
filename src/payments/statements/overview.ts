import { join, jsonb, raw, type Sql, sql, Statements } from "../../database/sql"
import { MONEY_OF_STATUS, OPEN } from "../../problems/statements/problems-in-sql"
import type { LocalDay, Period } from "../../values/local-days"
import type { TransactionState } from "../rules/transaction"
import {
  IS_NOT_KEPT,
  IS_NOT_PAID,
  IS_PAYABLE,
  PAID_SUM,
  REFUNDS,
  WAITS_FOR_MEDUSA,
  WAS_PAID,
} from "./rules-in-sql"

export interface MoneyCount {
  currency: string
  count: number
  /** Decimal text. */
  amount: string
}

export interface DayFigure extends MoneyCount {
  /** `YYYY-MM-DD`; null for the sum of all days. */
  day: string | null
  /** Our row's state, `not_kept` if taken back or others', or, of money outside Medusa's orders, `waits` (for a person) or `handled`. */
  status: TransactionState | "not_kept" | "waits" | "handled"
  method: string
  /** Commissions as the service states them; it does not say in what unit the first of them is. */
  commission: string | null
  commission_usdt: string | null
}

export interface WaitingMoney {
  kind: string
  age: "day" | "week" | "older"
  currency: string | null
  count: number
  amount: string | null
}

/** Money that Medusa has is in its orders, so that both sums can be compared. */
const OF_PAID = `case when t.settled_at is not null then 'paid' when t.handled_at is null then 'waits' else 'handled' end`

export class Overview extends Statements {
  /** Counts and sums by day and in all. A payment counts on the day on which it was first read paid, another when it was opened. */
  async figures(days: LocalDay[], of: "paid" | "not_paid"): Promise<DayFigure[]> {
    const time = raw(of === "paid" ? "t.paid_at" : "t.opened_at")
    const counted = (status: string, rows: Sql) =>
      sql`select ${raw(status)} as status, t.method, ${PAID_SUM.currency} as currency, count(*) as count,
           sum(${PAID_SUM.amount}::numeric) as amount,
           sum((t.figures ->> 'commission')::numeric) as commission,
           sum((t.figures ->> 'commission_usdt')::numeric) as commission_usdt
         from payment_service_transaction t where ${rows} and ${time} >= day."from" and ${time} < day."to"
         group by 1, 2, 3`
    const parts =
      of === "paid"
        ? [counted(OF_PAID, WAS_PAID)]
        : [counted("t.state", IS_NOT_PAID), counted("'not_kept'", IS_NOT_KEPT)]
    return await this.run`
      select day, status, method, currency, sum(count)::int as count, sum(amount)::text as amount,
        sum(commission)::text as commission, sum(commission_usdt)::text as commission_usdt
      from jsonb_to_recordset(${jsonb(days)}) as day (day text, "from" timestamptz, "to" timestamptz)
      cross join lateral (${join(parts, " union all ")}) of_day
      group by grouping sets ((1, 2, 3, 4), (2, 3, 4)) order by 1, 2, 3, 4`
  }

  /** The money that went back in a period, whenever it was paid, by currency. What the service took back itself is not among it. */
  async refunds({ from, to }: Period): Promise<MoneyCount[]> {
    return await this.run`
      select l.currency, count(*)::int as count, sum(l.amount::numeric)::text as amount
      from ${REFUNDS} and l.at >= ${from} and l.at < ${to} group by 1 order by 1`
  }

  /** Open problems and the money in question, by kind, age and currency; of a status, that of all payments with it. */
  async waitingForPerson(): Promise<WaitingMoney[]> {
    const now = this.clock.now()
    return await this.run`
      select p.kind, coalesce(money.currency, p.currency) as currency, count(*)::int as count,
        sum(coalesce(money.amount, p.amount::numeric))::text as amount,
        case when p.opened_at > ${now}::timestamptz - interval '1 day' then 'day'
          when p.opened_at > ${now}::timestamptz - interval '7 days' then 'week' else 'older' end as age
      from payment_service_problem p left join lateral (${MONEY_OF_STATUS}) money on true
      where ${OPEN} group by 1, 2, 5
      order by sum(coalesce(money.amount, p.amount::numeric)) desc nulls last, p.kind, 5`
  }

  /** Money that the payer may still pay, and money that came but that Medusa has not taken yet. */
  async underWay(): Promise<(MoneyCount & { standing: "payable" | "waiting_for_medusa" })[]> {
    return await this.run`
      select 'payable' as standing, t.currency, count(*)::int as count, sum(t.amount::numeric)::text as amount
      from payment_service_transaction t where ${IS_PAYABLE} group by t.currency
      union all
      select 'waiting_for_medusa', ${PAID_SUM.currency}, count(*)::int, sum(${PAID_SUM.amount}::numeric)::text
      from payment_service_transaction t where ${WAITS_FOR_MEDUSA} group by 2
      order by 1, 2`
  }
}
