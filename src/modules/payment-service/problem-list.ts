import { countRows, type SortedPage } from "./list-statements"
import { IS_OF_STATUS, MONEY_OF_STATUS } from "./problems-in-sql"
import { beginsWith, join, raw, type RunSql, sql, type Sql } from "./sql"
import type { ProblemRow } from "./tables"
import { searchConditions as rowConditions, type TransactionSearch } from "./transaction-list"

/**
 * Selects problems. Every field given narrows the list; a list of values means any of them. The problem of a status is found by
 * the facts of each payment with it.
 */
interface ProblemFilter {
  id?: string[]
  status?: "open" | "closed"
  kind?: string[]
  /** Accounts that opened the payments in question; a problem without a payment of ours has none. */
  account?: string[]
  transaction_id?: string
  transaction_row_id?: string
  cart_id?: string
  order_id?: string
  customer_id?: string
  /** A problem is found by its own columns, or by the payer of its payment. */
  search?: TransactionSearch
}

/** The columns by which the list may be sorted. Problems are few, so only the first needs an index. */
export const PROBLEMS_SORTED_BY = {
  opened_at: sql`p.opened_at`,
  closed_at: sql`p.closed_at`,
  // Sums of several currencies are not added, so the largest counts.
  amount: sql`coalesce(p.amount::numeric, (select max(money.amount) from (${MONEY_OF_STATUS}) money))`,
}

/** The amount is decimal text. */
interface MoneyOfStatus {
  id: string
  currency: string
  count: number
  amount: string
}

/** Lists problems for admins. */
export class ProblemList {
  constructor(private readonly run: RunSql) {}

  /** Problems without the value by which the list is sorted come last, whichever way it is sorted. */
  async page(
    filter: ProblemFilter,
    { by, descending, limit, offset }: SortedPage<keyof typeof PROBLEMS_SORTED_BY>
  ): Promise<ProblemRow[]> {
    const direction = raw(descending ? "desc" : "asc")
    const nulls = raw(by === "opened_at" ? "" : "nulls last")
    return await this.run(
      sql`select p.* from payment_service_problem p where ${conditionOf(filter)}
       order by ${PROBLEMS_SORTED_BY[by]} ${direction} ${nulls}, p.id ${direction} limit ${limit} offset ${offset}`
    )
  }

  /** The payments with the status that each of these problems is about, by currency; nothing for problems of other kinds. */
  async moneyOfStatuses(ids: string[]): Promise<MoneyOfStatus[]> {
    if (!ids.length) return []
    return await this.run(
      sql`select p.id, money.currency, money.count, money.amount::text as amount
       from payment_service_problem p cross join lateral (${MONEY_OF_STATUS}) money
       where p.id in (${join(ids)}) order by p.id, money.amount desc`
    )
  }

  /** Their number, at most `MOST_COUNTED`. */
  async count(filter: ProblemFilter): Promise<number> {
    return await countRows(
      this.run,
      sql`select 1 from payment_service_problem p where ${conditionOf(filter)}`
    )
  }
}

function conditionOf({ status, id, kind, account, search, ...ofPayment }: ProblemFilter): Sql {
  const conditions = [sql`p.deleted_at is null`]
  if (status) {
    conditions.push(sql`p.closed_at is ${raw(status === "open" ? "null" : "not null")}`)
  }
  if (id) conditions.push(sql`p.id in (${join(id)})`)
  if (kind) conditions.push(sql`p.kind in (${join(kind)})`)
  if (account) {
    const isOpenedBy = sql`t.account in (${join(account)})`
    conditions.push(sql`(exists (select 1 from payment_service_transaction t
      where t.id = p.transaction_row_id and ${isOpenedBy}) or ${hasPaymentOfStatus(isOpenedBy)})`)
  }
  for (const [column, value] of Object.entries(ofPayment)) {
    const ofRow = raw(column === "transaction_row_id" ? "id" : column)
    conditions.push(
      sql`(p.${raw(column)} = ${value} or ${hasPaymentOfStatus(sql`t.${ofRow} = ${value}`)})`
    )
  }
  if (search) {
    const ofRow = sql`(${join(rowConditions(search), " or ")})`
    conditions.push(
      sql`(${join([...searchConditions(search), hasPaymentOfStatus(ofRow)], " or ")})`
    )
  }
  return join(conditions, " and ")
}

/** The problem is about a status, and one of the payments with it meets the condition. */
const hasPaymentOfStatus = (condition: Sql) =>
  sql`(p.kind = 'unknown_status'
    and exists (select 1 from payment_service_transaction t where ${IS_OF_STATUS} and ${condition}))`

const ID_COLUMNS = ["id", "transaction_row_id", "session_id", "cart_id", "order_id"]

function searchConditions({ id, orderIds, payers, amount }: TransactionSearch): Sql[] {
  return [
    // A text without any meaning finds nothing.
    sql`false`,
    ...(id === null
      ? []
      : [
          // The service's own spelling of an id is stored.
          beginsWith(sql`lower(p.transaction_id)`, id.toLowerCase()),
          ...ID_COLUMNS.map((column) => beginsWith(sql`p.${raw(column)}`, id)),
        ]),
    ...(orderIds.length ? [sql`p.order_id in (${join(orderIds)})`] : []),
    ...(payers.length
      ? [
          sql`p.customer_id in (${join(payers)})`,
          // Once for all problems, by the index of payers.
          sql`p.transaction_row_id in (
            select id from payment_service_transaction where deleted_at is null and payer_id in (${join(payers)}))`,
        ]
      : []),
    ...(amount === null ? [] : [sql`p.amount::numeric = ${amount}::numeric`]),
  ]
}
