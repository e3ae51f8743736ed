import { MERCHANT_ACCOUNT_OF_ROW } from "./rules-in-sql"
import { type RunSql, sql } from "./sql"
import { MOST_COUNTED } from "./list-statements"

/** The most statuses that are listed; nobody reads more. */
const MOST_SEEN = 500

/** A status of a merchant account's transactions, as the service wrote it. */
export interface SeenStatus {
  /** A `merchantAccountId`. */
  merchantAccount: string
  /** Null for transactions whose creation got no reply, listed only for a merchant account without any status. */
  status: string | null
  /** At most `MOST_COUNTED`. */
  count: number
}

/** Lists the merchant accounts and statuses of our rows. */
export class SeenStatuses {
  constructor(private readonly run: RunSql) {}

  /** Jumps from one status to the next in an index, so that rows are read only for counting, up to `MOST_COUNTED` each. */
  async list(): Promise<SeenStatus[]> {
    const ofMerchantAccount = sql`select 1 from payment_service_transaction t
      where t.deleted_at is null and ${MERCHANT_ACCOUNT_OF_ROW} = seen.merchant_account`
    // Without the index's order, Postgres would find all matching rows before it counts.
    const inOrder = sql`order by ${MERCHANT_ACCOUNT_OF_ROW}, t.status limit ${MOST_COUNTED}`
    return await this.run(
      sql`with recursive seen (merchant_account, status) as (
         (select ${MERCHANT_ACCOUNT_OF_ROW}, t.status from payment_service_transaction t
           where t.deleted_at is null order by 1, 2 limit 1)
         union all
         select next.merchant_account, next.status from seen cross join lateral (
           select ${MERCHANT_ACCOUNT_OF_ROW} as merchant_account, t.status from payment_service_transaction t
           where t.deleted_at is null and (${MERCHANT_ACCOUNT_OF_ROW}, t.status) > (seen.merchant_account, seen.status)
           order by 1, 2 limit 1) next)
       select seen.merchant_account as "merchantAccount", seen.status, counted.count
       from (select * from seen limit ${MOST_SEEN}) seen cross join lateral (
         select count(*)::int as count from (
           (${ofMerchantAccount} and t.status = seen.status ${inOrder})
           union all
           (${ofMerchantAccount} and seen.status is null and t.status is null ${inOrder})
           limit ${MOST_COUNTED}) found) counted
       order by 1, 2`
    )
  }
}
