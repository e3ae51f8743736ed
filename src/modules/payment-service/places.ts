import { MERCHANT_ACCOUNT_OF_ROW } from "./rules-in-sql"
import { type RunSql, sql } from "./sql"
import { MOST_COUNTED } from "./transaction-list"

/** More of them than anybody reads. */
const MOST_SEEN = 500

/** A status that transactions of a merchant at an address have, as the service wrote it. */
export interface SeenStatus {
  /** A `merchantAccountId`. */
  place: string
  /** Null for transactions whose creation got no reply, where the place has no others. */
  status: string | null
  /** At most `MOST_COUNTED`. */
  count: number
}

/** Tells which merchants, addresses and statuses our rows have. */
export class Places {
  constructor(private readonly run: RunSql) {}

  /** Jumps from one to the next in an index, so that rows are only read to be counted, and only so many. */
  async seen(): Promise<SeenStatus[]> {
    const ofPlace = sql`select 1 from payment_service_transaction t
      where t.deleted_at is null and ${MERCHANT_ACCOUNT_OF_ROW} = seen.place`
    // Without the index's order, Postgres looks for all of them first.
    const inOrder = sql`order by ${MERCHANT_ACCOUNT_OF_ROW}, t.status limit ${MOST_COUNTED}`
    return await this.run(
      sql`with recursive seen (place, status) as (
         (select ${MERCHANT_ACCOUNT_OF_ROW}, t.status from payment_service_transaction t
           where t.deleted_at is null order by 1, 2 limit 1)
         union all
         select next.place, next.status from seen cross join lateral (
           select ${MERCHANT_ACCOUNT_OF_ROW} as place, t.status from payment_service_transaction t
           where t.deleted_at is null and (${MERCHANT_ACCOUNT_OF_ROW}, t.status) > (seen.place, seen.status)
           order by 1, 2 limit 1) next)
       select seen.place, seen.status, counted.count
       from (select * from seen limit ${MOST_SEEN}) seen cross join lateral (
         select count(*)::int as count from (
           (${ofPlace} and t.status = seen.status ${inOrder})
           union all
           (${ofPlace} and seen.status is null and t.status is null ${inOrder})
           limit ${MOST_COUNTED}) found) counted
       order by 1, 2`
    )
  }
}
