import { MERCHANT_ACCOUNT_OF_ROW } from "./rules-in-sql"
import { type RunSql, sql } from "./sql"

/** The most statuses that are listed; nobody reads more. */
const MOST_SEEN = 500

/** A status of a merchant account's transactions, as the service wrote it. */
export interface SeenStatus {
  /** A `merchantAccountId`. */
  merchantAccount: string
  /** Null for transactions whose creation got no reply. */
  status: string | null
  count: number
}

/** Lists the merchant accounts and statuses of our rows. */
export class SeenStatuses {
  constructor(private readonly run: RunSql) {}

  async list(): Promise<SeenStatus[]> {
    // The inner part reads an index only, because it groups by the index's own columns.
    return await this.run(
      sql`select ${MERCHANT_ACCOUNT_OF_ROW} as "merchantAccount", t.status, sum(t.count)::int as count
       from (select merchant_id, base_url, status, count(*) as count from payment_service_transaction
         where deleted_at is null group by status, merchant_id, base_url) t
       group by 1, 2 order by 1, 2 limit ${MOST_SEEN}`
    )
  }
}
