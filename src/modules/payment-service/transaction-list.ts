import type { TransactionException, TransactionState } from "../../settlement/transaction-state"
import { isAmong, isAny, ListQuery } from "./list-query"
import { IS_PAYABLE, MERCHANT_ACCOUNT_OF_ROW, toKopeck, WAITS_FOR_MEDUSA } from "./rules-in-sql"
import { beginsWith, join, type RunSql, sql, type Sql } from "./sql"
import type { TransactionRow } from "./tables"

/** Selects transactions. Every field given narrows the list; a list of values means any of them. */
export interface TransactionFilter {
  state?: TransactionState[]
  exception?: TransactionException[]
  /** Standings of `standingOf` that depend on more than the state. */
  standing?: ListedStanding[]
  /** The service's last status, as it wrote it. */
  status?: string[]
  method?: string[]
  account?: string[]
  /** The earliest time of opening, and the time before which it was opened. */
  from?: Date
  to?: Date
  /** The same for the time when a read first showed it paid. */
  paid_from?: Date
  paid_to?: Date
  cart_id?: string
  order_id?: string
  customer_id?: string
  search?: TransactionSearch
}

/** The possible meanings of a search text; a transaction is found by any of them. */
export interface TransactionSearch {
  /** Our id, or the beginning of another one: the service's, a session's, a collection's, a cart's, an order's. */
  id: string | null
  orderIds: string[]
  /** Customers, and payer ids of guests. */
  payers: string[]
  /** Decimal text in kopecks; the sum that was asked for, or that of the last read. */
  amount: string | null
}

/** SQL conditions of the standings by which the list is filtered; an index serves each. */
export const LISTED_STANDINGS = { payable: IS_PAYABLE, waiting_for_medusa: WAITS_FOR_MEDUSA }
type ListedStanding = keyof typeof LISTED_STANDINGS

/** The columns by which the list may be sorted; an index serves each, but for the earliest payments. */
export const SORTED_BY = {
  opened_at: sql`t.opened_at`,
  paid_at: sql`t.paid_at`,
  amount: sql`t.amount::numeric`,
}

/** The most statuses that are listed; nobody reads more. */
const MOST_STATUSES = 500

/** Lists transactions for admins. */
export class TransactionList extends ListQuery<
  TransactionRow,
  TransactionFilter,
  keyof typeof SORTED_BY
> {
  constructor(run: RunSql) {
    super(run, {
      from: sql`payment_service_transaction t`,
      madeAt: sql`t.opened_at`,
      sortedBy: SORTED_BY,
      nullable: ["paid_at"],
      conditions: ({ standing, from, to, paid_from: paidFrom, paid_to: paidTo, ...filter }) => [
        sql`t.deleted_at is null`,
        isAmong(sql`t.state`, filter.state),
        isAmong(sql`t.exception`, filter.exception),
        standing && isAny(standing.map((one) => LISTED_STANDINGS[one])),
        isAmong(sql`t.status`, filter.status),
        isAmong(sql`t.method`, filter.method),
        isAmong(sql`t.account`, filter.account),
        from && sql`t.opened_at >= ${from}`,
        to && sql`t.opened_at < ${to}`,
        paidFrom && sql`t.paid_at >= ${paidFrom}`,
        paidTo && sql`t.paid_at < ${paidTo}`,
        isAmong(sql`t.cart_id`, filter.cart_id),
        isAmong(sql`t.order_id`, filter.order_id),
        isAmong(sql`t.customer_id`, filter.customer_id),
        filter.search && isAny(searchConditions(filter.search)),
      ],
    })
  }

  /** The statuses of each merchant account's transactions (`merchantAccountId`); null for creations that got no reply. */
  async statuses(): Promise<{ merchantAccount: string; status: string | null; count: number }[]> {
    // The inner part reads an index only, because it groups by the index's own columns.
    return await this.run(
      sql`select ${MERCHANT_ACCOUNT_OF_ROW} as "merchantAccount", t.status, sum(t.count)::int as count
       from (select merchant_id, base_url, status, count(*) as count from payment_service_transaction
         where deleted_at is null group by status, merchant_id, base_url) t
       group by 1, 2 order by 1, 2 limit ${MOST_STATUSES}`
    )
  }

  /** Other transactions of the same cart or order, or of the same payer, newest first. */
  async otherAttempts(row: TransactionRow, limit: number): Promise<TransactionRow[]> {
    // A null equals nothing.
    return await this.run(
      sql`select * from payment_service_transaction
       where id <> ${row.id} and deleted_at is null
         and (cart_id = ${row.cart_id} or order_id = ${row.order_id} or payer_id = ${row.payer_id})
       order by opened_at desc limit ${limit}`
    )
  }
}

/** SQL conditions of which the transaction `t` meets one if a search means it. */
export function searchConditions({ id, orderIds, payers, amount }: TransactionSearch): Sql[] {
  return [
    // A text without any meaning finds nothing.
    sql`false`,
    ...(id === null
      ? []
      : [
          sql`t.id = ${id}`,
          beginsWith(sql`t.transaction_key`, id.toLowerCase()),
          beginsWith(sql`t.session_id`, id),
          beginsWith(sql`t.first_session_id`, id),
          beginsWith(sql`t.payment_collection_id`, id),
          beginsWith(sql`t.cart_id`, id),
          beginsWith(sql`t.order_id`, id),
        ]),
    ...(orderIds.length ? [sql`t.order_id in (${join(orderIds)})`] : []),
    ...(payers.length
      ? [sql`t.customer_id in (${join(payers)})`, sql`t.payer_id in (${join(payers)})`]
      : []),
    ...(amount === null
      ? []
      : [
          sql`t.amount::numeric = ${amount}::numeric`,
          sql`${toKopeck(sql`t.read_amount`)} = ${amount}::numeric`,
        ]),
  ]
}
