import { join, raw, type RunSql, sql, type Sql } from "./sql"
import type { ProblemRow } from "./tables"

/** Selects problems. Every field given narrows the list; a list of values means any of them. */
interface ProblemFilter {
  status?: "open" | "closed"
  kind?: string[]
  /** Accounts that opened the payments in question; a problem without a payment of ours has none. */
  account?: string[]
  transaction_id?: string
  transaction_row_id?: string
  cart_id?: string
  order_id?: string
  customer_id?: string
}

/** Lists problems for admins. */
export class ProblemList {
  constructor(private readonly run: RunSql) {}

  /** Newest first. */
  async page(
    filter: ProblemFilter,
    { limit, offset }: { limit: number; offset: number }
  ): Promise<ProblemRow[]> {
    return await this.run(
      sql`select p.* from payment_service_problem p where ${conditionOf(filter)}
       order by p.opened_at desc, p.id desc limit ${limit} offset ${offset}`
    )
  }

  async count(filter: ProblemFilter): Promise<number> {
    const [counted] = await this.run<[{ count: number }]>(
      sql`select count(*)::int as count from payment_service_problem p where ${conditionOf(filter)}`
    )
    return counted.count
  }
}

function conditionOf({ status, account, ...columns }: ProblemFilter): Sql {
  const conditions = [sql`p.deleted_at is null`]
  if (status) {
    conditions.push(sql`p.closed_at is ${raw(status === "open" ? "null" : "not null")}`)
  }
  if (account) {
    conditions.push(sql`exists (select 1 from payment_service_transaction t
      where t.id = p.transaction_row_id and t.account in (${join(account)}))`)
  }
  for (const [column, value] of Object.entries(columns)) {
    conditions.push(sql`p.${raw(column)} in (${join([value].flat())})`)
  }
  return join(conditions, " and ")
}
