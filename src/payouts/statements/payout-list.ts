import { type Among, isAmong, isAny, ListQuery } from "../../database/list-query"
import { join, raw, type RunSql, sql, type Sql, withoutWildcards } from "../../database/sql"
import type { PayoutRow } from "../../modules/payment-service/tables"
import {
  isMeant as isMeantPayment,
  type TransactionSearch,
} from "../../payments/statements/transaction-list"

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

/** The sums of payouts that pay a transaction's money back; whole rubles. */
export interface PaidBack {
  /** Created, or said to be. */
  paidOut: number
  /** Being sent, or with unknown outcome. */
  underWay: number
  /** Written down but not sent. */
  drafts: number
}

export const NOTHING_PAID_BACK: PaidBack = { paidOut: 0, underWay: 0, drafts: 0 }

/** Payouts that pay money back. */
export class RefundPayouts {
  constructor(private readonly run: RunSql) {}

  /** The sums by the rows' ids; rows without such payouts are left out. */
  async of(rowIds: string[]): Promise<Map<string, PaidBack>> {
    if (!rowIds.length) return new Map()
    const found = await this.run<(PaidBack & { rowId: string })[]>`
      select p.transaction_row_id as "rowId",
        coalesce(sum(p.amount) filter (where p.state in ('created', 'marked_sent')), 0)::float8 as "paidOut",
        coalesce(sum(p.amount) filter (where p.state in ('sending', 'unknown')), 0)::float8 as "underWay",
        coalesce(sum(p.amount) filter (where p.state in ('draft', 'awaiting_approval')), 0)::float8 as drafts
      from payment_service_payout p
      where p.transaction_row_id in (${join(rowIds)}) and p.deleted_at is null
      group by p.transaction_row_id`
    return new Map(found.map(({ rowId, ...paidBack }) => [rowId, paidBack]))
  }

  /** The sums of a payment's payouts. Under way are those of all these payments: they may pay back the same money. */
  async among(rowIds: string[], rowId: string): Promise<PaidBack> {
    const sums = await this.of(rowIds)
    const underWay = [...sums.values()].reduce((sum, one) => sum + one.underWay, 0)
    return { ...(sums.get(rowId) ?? NOTHING_PAID_BACK), underWay }
  }
}
