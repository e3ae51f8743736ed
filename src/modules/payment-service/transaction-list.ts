import type { TransactionException, TransactionState } from "../../settlement/transaction-state"
import { countRows, MOST_COUNTED, newestFirst, type SortedPage } from "./list-statements"
import { IS_PAYABLE, MERCHANT_ACCOUNT_OF_ROW, WAITS_FOR_MEDUSA } from "./rules-in-sql"
import { beginsWith, empty, join, raw, type RunSql, sql, type Sql } from "./sql"
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
  /** An id of any kind or the beginning of one: the service's, ours, a session's, a collection's, a cart's, an order's. */
  id: string | null
  orderIds: string[]
  /** Customers, and payer ids of guests. */
  payers: string[]
  /** Decimal text; the sum that was asked for, or that of the last read. */
  amount: string | null
}

/** SQL conditions of the standings by which the list is filtered; an index serves each. */
export const LISTED_STANDINGS = { payable: IS_PAYABLE, waiting_for_medusa: WAITS_FOR_MEDUSA }
type ListedStanding = keyof typeof LISTED_STANDINGS

/** The columns by which the list may be sorted; an index serves each. */
export const SORTED_BY = {
  opened_at: sql`opened_at`,
  paid_at: sql`paid_at`,
  amount: sql`amount::numeric`,
}

/** Lists transactions for admins. */
export class TransactionList {
  constructor(private readonly run: RunSql) {}

  async page(
    filter: TransactionFilter,
    page: SortedPage<keyof typeof SORTED_BY>
  ): Promise<TransactionRow[]> {
    const direction = raw(page.descending ? "desc" : "asc")
    // The same index serves both directions.
    const nulls = raw(page.by !== "paid_at" ? "" : page.descending ? "nulls last" : "nulls first")
    const order = sql`order by ${SORTED_BY[page.by]} ${direction} ${nulls}, id ${direction}`
    const limited = sql`${order} limit ${page.limit} offset ${page.offset}`
    const few =
      (await this.selectiveQueryOf(filter)) ??
      (page.by === "paid_at" ? null : paidPeriodQueryOf(filter))
    return await this.run(
      few
        ? sql`with found as materialized (${few}), page as (select id from found ${limited})
           select t.* from page join payment_service_transaction t using (id) ${order}`
        : sql`select * from payment_service_transaction t where ${conditionOf(filter)} ${limited}`
    )
  }

  /** All matching transactions, newest first, in batches, see `newestFirst`. */
  all(filter: TransactionFilter, batchSize: number): AsyncGenerator<TransactionRow[], void> {
    const condition = conditionOf(filter)
    return newestFirst(
      this.run,
      { table: "payment_service_transaction", madeAt: "opened_at", condition },
      batchSize
    )
  }

  /** Other transactions of the same cart or order, or of the same payer, newest first. */
  async otherAttempts(
    { id, cart_id, order_id, payer_id }: TransactionRow,
    limit: number
  ): Promise<TransactionRow[]> {
    const same = Object.entries({ cart_id, order_id, payer_id }).flatMap(([column, value]) =>
      value ? [sql`${raw(column)} = ${value}`] : []
    )
    return same.length
      ? await this.run(
          sql`select * from payment_service_transaction
           where id <> ${id} and deleted_at is null and (${join(same, " or ")})
           order by opened_at desc limit ${limit}`
        )
      : []
  }

  /** Their number, at most `MOST_COUNTED`. */
  async count(filter: TransactionFilter): Promise<number> {
    return await countRows(
      this.run,
      (await this.selectiveQueryOf(filter)) ??
        sql`select 1 from payment_service_transaction t where ${conditionOf(filter)}`
    )
  }

  /** A selective filter's own rows; those of a status only where they are few, because most rows share one or two. */
  private async selectiveQueryOf(filter: TransactionFilter): Promise<Sql | null> {
    const bySelf = selectiveQueryOf(filter)
    if (bySelf || !filter.status) return bySelf
    const rows = (rest: Sql) => rowsOfStatus(filter.status ?? [], rest)
    const isRare = (await countRows(this.run, rows(sql`t.deleted_at is null`))) < MOST_COUNTED
    return isRare ? rows(conditionOf(filter)) : null
  }
}

/**
 * The rows with one of these statuses, by an index that begins with the merchant account: from each account to the next it is a
 * jump. Of a status and account, at most `MOST_COUNTED` are read, in the index's order, without which Postgres would find all
 * first.
 */
function rowsOfStatus(status: string[], rest: Sql): Sql {
  const account = MERCHANT_ACCOUNT_OF_ROW
  const values = status.map((one) => sql`(${one}::text)`)
  return sql`with recursive place (account) as (
      (select ${account} from payment_service_transaction t where t.deleted_at is null order by 1 limit 1)
      union all
      select next.account from place cross join lateral (
        select ${account} as account from payment_service_transaction t
        where t.deleted_at is null and ${account} > place.account order by 1 limit 1) next)
    select found.* from place cross join (values ${join(values)}) asked (status) cross join lateral (
      select id, opened_at, paid_at, amount from payment_service_transaction t
      where ${account} = place.account and t.status = asked.status and ${rest}
      order by ${account}, t.status limit ${MOST_COUNTED}) found`
}

/**
 * The rows that a selective filter finds by its own indexes, with the columns to sort by; null for other filters. In one combined
 * condition, Postgres expects many rows, and reads all transactions in the list's order until a page is full. Filters that may
 * still match many rows give only the newest.
 */
function selectiveQueryOf({ search, standing, ...filter }: TransactionFilter): Sql | null {
  const newest = (condition: Sql, by: Sql) =>
    sql`(select id, opened_at, paid_at, amount from payment_service_transaction t
      where ${conditionOf(filter)} and ${condition} order by ${by} desc limit ${MOST_COUNTED})`
  if (search) {
    const rest = standing ? sql`(${standingCondition(standing)})` : sql`true`
    return rowsOfSearch(search, sql`${conditionOf(filter)} and ${rest}`)
  }
  if (standing?.includes("waiting_for_medusa")) {
    const branches = standing.map((one) =>
      newest(LISTED_STANDINGS[one], one === "payable" ? sql`opened_at` : sql`paid_at`)
    )
    return join(branches, " union ")
  }
  return null
}

/**
 * The transactions that were paid in a period, to be sorted by another column; null without such a period. In one statement,
 * Postgres reads all transactions in the list's order until a page is full.
 */
function paidPeriodQueryOf(filter: TransactionFilter): Sql | null {
  return (filter.paid_from ?? filter.paid_to)
    ? sql`select id, opened_at, paid_at, amount from payment_service_transaction t where ${conditionOf(filter)}`
    : null
}

function standingCondition(standing: ListedStanding[]): Sql {
  return join(
    standing.map((one) => LISTED_STANDINGS[one]),
    " or "
  )
}

function conditionOf({
  search,
  from,
  to,
  paid_from: paidFrom,
  paid_to: paidTo,
  standing,
  ...filter
}: TransactionFilter): Sql {
  const conditions = [sql`deleted_at is null`]
  if (standing) {
    conditions.push(sql`(${standingCondition(standing)})`)
  }
  for (const [column, value] of Object.entries(filter)) {
    if (value) conditions.push(sql`${raw(column)} in (${join([value].flat())})`)
  }
  if (from) conditions.push(sql`opened_at >= ${from}`)
  if (to) conditions.push(sql`opened_at < ${to}`)
  if (paidFrom) conditions.push(sql`paid_at >= ${paidFrom}`)
  if (paidTo) conditions.push(sql`paid_at < ${paidTo}`)
  if (search) conditions.push(sql`(${join(searchConditions(search), " or ")})`)
  return join(conditions, " and ")
}

const ID_COLUMNS = [
  ...["transaction_key", "id", "session_id", "return_session_id"],
  ...["payment_collection_id", "cart_id", "order_id"],
]

/**
 * The rows that a search finds among those that meet a condition, with the columns to sort by. Of the ids that begin with the text, and
 * of an amount, only the newest `MOST_COUNTED` are found: every cart's id begins with `cart_0`. Medusa's ids and ours begin with a
 * time, so the last in the order of `~>~`, which the indexes have, are the newest.
 */
export function rowsOfSearch({ id, amount, ...others }: TransactionSearch, rest: Sql): Sql {
  const rows = (condition: Sql, newest: Sql) =>
    sql`(select id, opened_at, paid_at, amount from payment_service_transaction t
      where ${rest} and ${condition} ${newest})`
  const limit = sql`limit ${MOST_COUNTED}`
  const found = [
    ...idConditions(id).map(([column, condition]) =>
      rows(condition, sql`order by ${raw(column)} using ~>~ ${limit}`)
    ),
    ...searchConditions({ ...others, id: null, amount: null }).map((one) => rows(one, empty)),
    ...amountConditions(amount).map((one) => rows(one, sql`order by opened_at desc ${limit}`)),
  ]
  return join(found, " union ")
}

/** Conditions of which a searched row meets one. */
export function searchConditions({ id, orderIds, payers, amount }: TransactionSearch): Sql[] {
  return [
    // A text without any meaning finds nothing.
    sql`false`,
    ...idConditions(id).map(([, condition]) => condition),
    ...(orderIds.length ? [sql`order_id in (${join(orderIds)})`] : []),
    ...(payers.length
      ? [sql`customer_id in (${join(payers)})`, sql`payer_id in (${join(payers)})`]
      : []),
    ...amountConditions(amount),
  ]
}

function idConditions(id: string | null): [column: string, condition: Sql][] {
  if (id === null) return []
  return ID_COLUMNS.map((column) => [
    column,
    beginsWith(raw(column), column === "transaction_key" ? id.toLowerCase() : id),
  ])
}

function amountConditions(amount: string | null): Sql[] {
  if (amount === null) return []
  return [
    sql`amount::numeric = ${amount}::numeric`,
    // An index holds only the rows where the two differ.
    sql`(read_amount::numeric <> amount::numeric and read_amount::numeric = ${amount}::numeric)`,
  ]
}
