import { type Among, isAmong, isAny, ListQuery } from "./list-query"
import type { MoneyCount } from "./overview"
import { IS_OF_STATUS, MONEY_OF_STATUS } from "./problems-in-sql"
import { toKopeck } from "./rules-in-sql"
import { beginsWith, join, raw, type RunSql, sql, type Sql } from "./sql"
import type { ProblemRow } from "./tables"
import { isMeant, type TransactionSearch } from "./transaction-list"

/** Ids that a problem has itself, and that payments with its status have, too. */
const ABOUT = ["transaction_id", "cart_id", "order_id", "customer_id"] as const

/** Selects problems by any of the values of each field given; that of a status by the facts of each payment with it. */
interface ProblemFilter extends Among<
  "id" | "kind" | "transaction_row_id" | (typeof ABOUT)[number]
> {
  status?: "open" | "closed"
  /** Accounts that opened the payments in question; a problem without a payment of ours has none. */
  account?: string[]
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

export class ProblemList extends ListQuery<
  ProblemRow,
  ProblemFilter,
  keyof typeof PROBLEMS_SORTED_BY
> {
  constructor(run: RunSql) {
    super(run, {
      from: sql`payment_service_problem p`,
      madeAt: sql`p.opened_at`,
      sortedBy: PROBLEMS_SORTED_BY,
      nullable: ["closed_at", "amount"],
      conditions: ({ account, search, ...filter }) => [
        sql`p.deleted_at is null`,
        filter.status && sql`p.closed_at is ${raw(filter.status === "open" ? "null" : "not null")}`,
        isAmong(sql`p.id`, filter.id),
        isAmong(sql`p.kind`, filter.kind),
        account && hasPayment(isAmong(sql`t.account`, account)),
        isAbout(sql`p.transaction_row_id`, sql`t.id`, filter.transaction_row_id),
        ...ABOUT.map((id) => isAbout(raw(`p.${id}`), raw(`t.${id}`), filter[id])),
        search && isMeantBy(search),
      ],
    })
  }

  /** The payments with the status that each of these problems is about, by currency; nothing for problems of other kinds. */
  async moneyOfStatuses(ids: string[]): Promise<(MoneyCount & { id: string })[]> {
    if (!ids.length) return []
    return await this.run`select p.id, money.currency, money.count, money.amount::text as amount
      from payment_service_problem p cross join lateral (${MONEY_OF_STATUS}) money
      where p.id in (${join(ids)}) order by p.id, money.amount desc`
  }
}

/** The problem has this value itself, or one of the payments with its status has it. */
function isAbout(ofProblem: Sql, ofPayment: Sql, value: string | string[] | undefined) {
  if (value === undefined) return undefined
  return isAny([isAmong(ofProblem, value), hasPaymentOfStatus(isAmong(ofPayment, value))])
}

/** The problem's own payment, or one of those with its status, meets the condition. */
const hasPayment = (condition: Sql) =>
  sql`(exists (select 1 from payment_service_transaction t
      where t.id = p.transaction_row_id and t.deleted_at is null and ${condition})
    or ${hasPaymentOfStatus(condition)})`

/** The problem is about a status, and one of the payments with it meets the condition. */
const hasPaymentOfStatus = (condition: Sql) =>
  sql`(p.kind = 'unknown_status'
    and exists (select 1 from payment_service_transaction t where ${IS_OF_STATUS} and ${condition}))`

/** A search means the problem, which may be about no payment of ours, or its payment. */
function isMeantBy(search: TransactionSearch): Sql {
  const { id, orderIds, payers, amount } = search
  return isAny([
    hasPayment(isMeant(search)),
    id !== null &&
      isAny([
        ...["id", "transaction_row_id", "cart_id", "order_id"].map((column) =>
          beginsWith(raw(`p.${column}`), id)
        ),
        // The service's own spelling of an id is stored.
        beginsWith(sql`lower(p.transaction_id)`, id.toLowerCase()),
      ]),
    isAmong(sql`p.order_id`, orderIds),
    isAmong(sql`p.customer_id`, payers),
    amount !== null && sql`${toKopeck(sql`p.amount`)} = ${amount}::numeric`,
  ])
}
