import { type Among, isAmong, isAny, ListQuery, MOST_COUNTED } from "../../database/list-query"
import { beginsWith, join, jsonb, raw, type Sql, sql, Statements } from "../../database/sql"
import type { TransactionRow } from "../../modules/payment-service/tables"
import { MONEY_OF_STATUS, OPEN } from "../../problems/statements/problems-in-sql"
import { type ListedRecord, ourReference, rowFinder } from "../../reconciliation/rules/comparison"
import type { LocalDay, Period } from "../../values/local-days"
import type { ListedStanding, TransactionState } from "../rules/transaction"
import * as rules from "./rules-in-sql"

const FILTERED_BY = [
  "state",
  "exception",
  "status",
  "method",
  "account",
  "cart_id",
  "order_id",
  "customer_id",
] as const

/** Every field given narrows the list; a list of values means any of them. */
interface TransactionFilter extends Among<(typeof FILTERED_BY)[number]> {
  standing?: ListedStanding[]
  /** The period of its opening, or of the first read that showed it paid; each without its end. */
  from?: Date
  to?: Date
  paid_from?: Date
  paid_to?: Date
  search?: TransactionSearch
}

/** The possible meanings of a search text; a transaction is found by any of them. */
export interface TransactionSearch {
  /** Our id, or the beginning of another one: the service's, a session's, a collection's, a cart's, an order's. */
  id: string | null
  orderIds: string[]
  cartIds: string[]
  /** Customers, and payer ids of guests. */
  payers: string[]
  /** Decimal text in kopecks; the sum that was asked for, or that of the last read. */
  amount: string | null
}

/** A condition for each standing that an index serves: few rows that meet it have another standing. */
const FOUND_BY: Record<ListedStanding, Sql> = {
  opening: sql`t.state = 'creating'`,
  not_opened: sql`t.state = 'refused'`,
  unanswered: sql`t.state = 'unknown'`,
  payable: rules.IS_PAYABLE,
  over: sql`t.state in ('canceled', 'expired')`,
  waiting_for_medusa: rules.WAITS_FOR_MEDUSA,
  settled: sql`t.state = 'paid' and t.settled_at is not null`,
  waiting_for_person: sql`t.exception is not null and (t.handled_at is null or t.exception_at > t.handled_at)`,
  taken_care_of: sql`(t.handled_at is not null or t.handled is not null)`,
  partly_refunded: rules.HAS_REFUNDS,
  refunded: rules.HAS_REFUNDS,
}

const hasStanding = (standing: ListedStanding) =>
  sql`(${FOUND_BY[standing]} and ${rules.LISTED_STANDING} = ${standing})`

/** An index serves each of these orders, but for the earliest payments. */
export const SORTED_BY = {
  opened_at: "t.opened_at",
  paid_at: "t.paid_at",
  amount: "t.amount::numeric",
}
type SortedBy = keyof typeof SORTED_BY

const MOST_STATUSES = 500

export class TransactionList extends ListQuery<TransactionRow, TransactionFilter, SortedBy> {
  protected readonly from = "payment_service_transaction t"
  protected readonly madeAt = "t.opened_at"
  protected readonly sortedBy = SORTED_BY
  protected override readonly nullable: SortedBy[] = ["paid_at"]

  protected conditions({ standing, search, ...filter }: TransactionFilter) {
    return [
      raw("t.deleted_at is null"),
      ...FILTERED_BY.map((column) => isAmong(`t.${column}`, filter[column])),
      standing && isAny(standing.map(hasStanding)),
      filter.from && sql`t.opened_at >= ${filter.from}`,
      filter.to && sql`t.opened_at < ${filter.to}`,
      filter.paid_from && sql`t.paid_at >= ${filter.paid_from}`,
      filter.paid_to && sql`t.paid_at < ${filter.paid_to}`,
      search && isMeant(search),
    ]
  }

  /** The statuses at each merchant account; null for creations that got no reply. */
  async statuses() {
    // The inner part reads an index only, because it groups by the index's own columns.
    return await this.run<
      { merchant_id: string; base_url: string; status: string | null; count: number }[]
    >`
      select lower(t.merchant_id) as merchant_id, t.base_url, t.status, sum(t.count)::int as count
      from (select merchant_id, base_url, status, count(*) as count from payment_service_transaction
        where deleted_at is null group by status, merchant_id, base_url) t
      group by 1, 2, 3 order by 1, 2, 3 limit ${MOST_STATUSES}`
  }

  /** Other transactions of the same cart or order, or of the same payer, newest first. */
  async otherAttempts(row: TransactionRow, limit: number): Promise<TransactionRow[]> {
    // A null equals nothing.
    return await this.run`select * from payment_service_transaction
      where id <> ${row.id} and deleted_at is null
        and (cart_id = ${row.cart_id} or order_id = ${row.order_id} or payer_id = ${row.payer_id})
      order by opened_at desc limit ${limit}`
  }

  async finderFor(merchantId: string, records: Pick<ListedRecord, "recordId" | "payload">[]) {
    const keys = records.map(({ recordId }) => recordId.toLowerCase())
    const references = records.flatMap((record) => ourReference(record) ?? [])
    const rows = await this.database.runLong<
      TransactionRow[]
    >`select * from payment_service_transaction t
      where (lower(transaction_id) = any(${textsIn(keys)}) or id = any(${textsIn(references)}))
        and ${rules.isOfMerchant(merchantId)} and deleted_at is null`
    return rowFinder(rows)
  }

  /** The rows of records that a search text means, the newest of very many; its amount is the record's. */
  async meantBy(search: TransactionSearch): Promise<Set<string>> {
    const rows = await this.database.runLong<
      { id: string }[]
    >`select id from payment_service_transaction t
      where ${isMeant({ ...search, amount: null })} and deleted_at is null
      order by opened_at desc limit ${MOST_COUNTED}`
    return new Set(rows.map(({ id }) => id))
  }
}

// Postgres does not look into a list from a select of its own: to estimate each of its texts takes longer than the search.
const textsIn = (list: string[]) => sql`array(select jsonb_array_elements_text(${jsonb(list)}))`

/** SQL condition: a search means the transaction `t`. */
export function isMeant({ id, orderIds, cartIds, payers, amount }: TransactionSearch): Sql {
  const begins = ["session_id", "payment_collection_id", "cart_id", "order_id"]
  return isAny([
    id !== null && sql`t.id = ${id} or t.id = (${rules.openedFor(id)})`,
    id !== null && beginsWith("lower(t.transaction_id)", id.toLowerCase()),
    ...begins.map((column) => id !== null && beginsWith(`t.${column}`, id)),
    isAmong("t.order_id", orderIds),
    isAmong("t.cart_id", cartIds),
    isAmong("t.customer_id", payers),
    isAmong("t.payer_id", payers),
    amount !== null &&
      sql`(t.amount::numeric = ${amount}::numeric or ${rules.toKopeck("t.read_amount")} = ${amount}::numeric)`,
  ])
}

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
      sql`select ${raw(status)} as status, t.method, ${rules.PAID_SUM.currency} as currency, count(*) as count,
           sum(${rules.PAID_SUM.amount}::numeric) as amount,
           sum((t.figures ->> 'commission')::numeric) as commission,
           sum((t.figures ->> 'commission_usdt')::numeric) as commission_usdt
         from payment_service_transaction t where ${rows} and ${time} >= day."from" and ${time} < day."to"
         group by 1, 2, 3`
    const parts =
      of === "paid"
        ? [counted(OF_PAID, rules.WAS_PAID)]
        : [counted("t.state", rules.IS_NOT_PAID), counted("'not_kept'", rules.IS_NOT_KEPT)]
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
      from ${rules.REFUNDS} and l.at >= ${from} and l.at < ${to} group by 1 order by 1`
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
      from payment_service_transaction t where ${rules.IS_PAYABLE} group by t.currency
      union all
      select 'waiting_for_medusa', ${rules.PAID_SUM.currency}, count(*)::int, sum(${rules.PAID_SUM.amount}::numeric)::text
      from payment_service_transaction t where ${rules.WAITS_FOR_MEDUSA} group by 2
      order by 1, 2`
  }
}
