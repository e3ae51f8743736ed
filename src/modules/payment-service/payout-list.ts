import type { PayoutState } from "../../settlement/payouts/payout"
import { countRows, newestFirst, type SortedPage } from "./list-statements"
import { join, raw, type RunSql, sql, type Sql } from "./sql"
import type { PayoutRow } from "./tables"

/** Selects payouts. Every field given narrows the list; a list of values means any of them. */
export interface PayoutFilter {
  state?: PayoutState[]
  account?: string[]
  order_id?: string[]
  problem_id?: string[]
  transaction_row_id?: string[]
  made_by?: string[]
  /** The earliest time of making, and the time before which it was made. */
  from?: Date
  to?: Date
  search?: PayoutSearch
}

/** The possible meanings of a search text; a payout is found by any of them. */
export interface PayoutSearch {
  /** Ids of payouts, ours or the service's. */
  ids: string[]
  orderIds: string[]
  last4: string | null
  /** Whole rubles. */
  amount: number | null
  /** Words, or beginnings of words, that must all stand in the note or the maker's name. */
  words: string[]
}

/** The columns by which the list may be sorted; an index serves each. */
export const PAYOUTS_SORTED_BY = { created_at: sql`made_at`, amount: sql`amount` }

/** The payouts of one day and state. */
interface PayoutTotal {
  /** The day of `payouts.timeZone` on which they count against the limits: once sent, the day of sending. */
  day: string
  state: PayoutState
  count: number
  /** Whole rubles. */
  amount: number
  /** Decimal text; null where the service gave none. */
  amount_usdt: string | null
}

/** Totals are shown for at most this many days. */
const MOST_DAYS = 31

/** Lists payouts for admins. */
export class PayoutList {
  constructor(private readonly run: RunSql) {}

  async page(
    filter: PayoutFilter,
    page: SortedPage<keyof typeof PAYOUTS_SORTED_BY>
  ): Promise<PayoutRow[]> {
    const direction = raw(page.descending ? "desc" : "asc")
    return await this.run(
      sql`select * from payment_service_payout where ${conditionOf(filter)}
       order by ${PAYOUTS_SORTED_BY[page.by]} ${direction}, id ${direction}
       limit ${page.limit} offset ${page.offset}`
    )
  }

  /** Their number, at most `MOST_COUNTED`. */
  async count(filter: PayoutFilter): Promise<number> {
    return await countRows(
      this.run,
      sql`select 1 from payment_service_payout where ${conditionOf(filter)}`
    )
  }

  /** The totals of the latest days, the newest first. */
  async totals(filter: PayoutFilter): Promise<PayoutTotal[]> {
    const found = sql`payment_service_payout where ${conditionOf(filter)}`
    return await this.run(
      sql`select limit_day as day, state, count(*)::int as count, sum(amount)::float8 as amount,
         sum(amount_usdt::numeric)::text as amount_usdt
       from ${found} and limit_day in (
         select distinct limit_day from ${found} order by 1 desc limit ${MOST_DAYS})
       group by limit_day, state order by limit_day desc, state`
    )
  }

  /** All matching payouts, newest first, in batches, see `newestFirst`. */
  all(filter: PayoutFilter, batchSize: number): AsyncGenerator<PayoutRow[], void> {
    const condition = conditionOf(filter)
    return newestFirst(
      this.run,
      { table: "payment_service_payout", madeAt: "made_at", condition },
      batchSize
    )
  }
}

function conditionOf({ search, from, to, ...filter }: PayoutFilter): Sql {
  const conditions = [sql`deleted_at is null`]
  for (const [column, values] of Object.entries(filter)) {
    if (values) conditions.push(sql`${raw(column)} in (${join(values)})`)
  }
  if (from) conditions.push(sql`made_at >= ${from}`)
  if (to) conditions.push(sql`made_at < ${to}`)
  if (search) {
    // Matching ids are found first, by the indexes of the searched columns: in the list's own order, a search for a word would
    // read most rows.
    conditions.push(sql`id = any(array(select id from payment_service_payout
      where deleted_at is null and (${join(searchConditions(search), " or ")})))`)
  }
  return join(conditions, " and ")
}

function searchConditions({ ids, orderIds, last4, amount, words }: PayoutSearch): Sql[] {
  return [
    ...(ids.length ? [sql`id in (${join(ids)})`, sql`withdrawal_record_id in (${join(ids)})`] : []),
    ...(orderIds.length ? [sql`order_id in (${join(orderIds)})`] : []),
    ...(last4 === null ? [] : [sql`card_last4 = ${last4}`]),
    ...(amount === null ? [] : [sql`amount = ${amount}`]),
    ...(words.length
      ? [
          sql`to_tsvector('simple', coalesce(note, '') || ' ' || made_by_name)
            @@ to_tsquery('simple', ${words.map((word) => `'${word}':*`).join(" & ")})`,
        ]
      : []),
    // A text without any meaning finds nothing.
    sql`false`,
  ]
}
