import { type Among, isAmong, isAny, ListQuery } from "../../database/list-query"
import { join, raw, sql, type Sql, withoutWildcards } from "../../database/sql"
import type { PayoutRow } from "../../modules/payment-service/tables"
import {
  isMeant as isMeantPayment,
  type TransactionSearch,
} from "../../payments/statements/transaction-list"
import type { PayoutState } from "../rules/payout"

const FILTERED_BY = [
  "state",
  "account",
  "order_id",
  "problem_id",
  "transaction_row_id",
  "made_by",
] as const

/** Selects payouts. Every field given narrows the list; a list of values means any of them. */
export interface PayoutFilter extends Among<(typeof FILTERED_BY)[number]> {
  created_at?: { gte?: Date; lt?: Date }
  search?: PayoutSearch
}

/** The possible meanings of a search text; a payout is found by any of them. */
export interface PayoutSearch {
  /** Ids of payouts, ours or the service's. */
  ids?: string[]
  orderIds?: string[]
  /** The payments and orders to which it belongs. */
  buyers?: TransactionSearch
  last4?: string | string[]
  /** Whole rubles. */
  amount?: string
  /** Words, or parts of words, that must all stand in the note or the maker's name. */
  words?: string[]
}

/** The columns by which the list may be sorted; an index serves each. */
export const PAYOUTS_SORTED_BY = { created_at: "made_at", amount: "amount" }

/** The payouts of one day and state. */
export interface PayoutTotal {
  /** The day of `payouts.timeZone` of their sending, or of their making while they are drafts. */
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
export class PayoutList extends ListQuery<PayoutRow, PayoutFilter, keyof typeof PAYOUTS_SORTED_BY> {
  protected readonly from = "payment_service_payout"
  protected readonly madeAt = "made_at"
  protected readonly sortedBy = PAYOUTS_SORTED_BY

  protected conditions({ created_at, search, ...filter }: PayoutFilter) {
    return [
      raw("deleted_at is null"),
      ...FILTERED_BY.map((column) => isAmong(column, filter[column])),
      created_at?.gte && sql`made_at >= ${created_at.gte}`,
      created_at?.lt && sql`made_at < ${created_at.lt}`,
      search && isMeant(search),
    ]
  }

  /** The totals of the latest days, the newest first. */
  async totals(filter: PayoutFilter): Promise<PayoutTotal[]> {
    const found = this.found(filter)
    return await this.run`
      select limit_day as day, state, count(*)::int as count, sum(amount)::float8 as amount,
         sum(amount_usdt::numeric)::text as amount_usdt
       from ${found} and limit_day in (
         select distinct limit_day from ${found} order by 1 desc limit ${MOST_DAYS})
       group by limit_day, state order by limit_day desc, state`
  }
}

/** A search means the payout. */
function isMeant({ ids, orderIds = [], buyers, last4, amount, words = [] }: PayoutSearch): Sql {
  const named = words.map(
    (word) => sql`coalesce(note, '') || ' ' || made_by_name ilike ${`%${withoutWildcards(word)}%`}`
  )
  return isAny([
    isAmong("id", ids),
    isAmong("withdrawal_record_id", ids),
    isAmong("order_id", [...orderIds, ...(buyers?.orderIds ?? [])]),
    buyers &&
      sql`transaction_row_id in (select t.id from payment_service_transaction t where ${isMeantPayment(buyers)})`,
    isAmong("card_last4", last4),
    isAmong("amount", amount),
    words.length > 0 && sql`(${join(named, " and ")})`,
  ])
}
