import { type MerchantAccount, merchantAccountId } from "../../settlement/merchant-account"
import { nextWatchAt, POLL_INTERVAL_MS } from "../../settlement/watch-schedule"
import type { Clock } from "./clock"
import { HAS_UNKNOWN_STATUS } from "./problems-in-sql"
import { CAUSE_OF_STATUS, MERCHANT_ACCOUNT_OF_ROW, SETTLED_IN_ORDER, WATCHED } from "./rules-in-sql"
import { empty, join, type RunSql, sql, type Sql } from "./sql"
import type { TransactionRow } from "./tables"
import type { Transactions } from "./transactions"

/** Due transactions of a merchant account that no account of the options has. */
interface NotConfigured extends MerchantAccount {
  count: number
  oldest: Date
  /** The time when the last of them became due. */
  newestDue: Date
}

/** Added to `hinting`: the caller reads these transactions, so polls need not. */
export const CLAIM_POLL = sql`, poll_claimed_at = clock.now`

/** Makes transactions due in five seconds, as `hint` does. It is part of a statement in which `clock.now` is the time. */
export const hinting = (condition: Sql, andSet = empty) =>
  sql`update payment_service_transaction t set hinted_at = clock.now,
    -- A watch that was planned before the payment settled does not count any more.
    watch_at = case when ${SETTLED_IN_ORDER} and coalesce(hinted_at <= settled_at, true)
      then clock.now + interval '5 seconds'
      else least(coalesce(watch_at, clock.now + interval '5 seconds'), clock.now + interval '5 seconds') end
    ${andSet}
  from clock where ${condition} and deleted_at is null
  returning t.*`

/** Finds the transactions that are due to be read, and claims each for one reader only, on all instances together. */
export class DueTransactions {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock,
    private readonly transactions: Pick<Transactions, "get">
  ) {}

  /**
   * Makes a transaction due in five seconds, because it may have changed. It is then watched as often as a new one, in case the
   * service's reads lag behind. A transaction that has settled or was taken care of is read at most once in five seconds, however
   * many hints come.
   */
  async hint(id: string): Promise<void> {
    await this.hintWhere(sql`id = ${id}`)
  }

  /** Like `hint`, for ids of the service in lower case; unknown ids are ignored. */
  async hintNamed(transactionKeys: string[]): Promise<void> {
    if (transactionKeys.length) {
      await this.hintWhere(sql`transaction_key in (${join(transactionKeys)})`)
    }
  }

  private async hintWhere(condition: Sql): Promise<void> {
    await this.run(
      sql`with clock as (select ${this.clock.now()}::timestamptz as now) ${hinting(condition)}`
    )
  }

  /**
   * Makes all transactions due now that have the status of this problem's cause. They are locked in the order in which callbacks
   * lock them.
   *
   * @returns their number, and the ids of the oldest `limit` of them
   */
  async makeStatusDue(cause: string, limit: number): Promise<{ count: number; oldest: string[] }> {
    const now = this.clock.now()
    const due = await this.run<{ id: string; count: number }[]>(
      sql`with due as (
         update payment_service_transaction t set watch_at = least(coalesce(watch_at, ${now}), ${now})
         where t.id in (select t.id from payment_service_transaction t
           where ${HAS_UNKNOWN_STATUS} and ${CAUSE_OF_STATUS} = ${cause} order by t.id for update)
         returning t.id, t.opened_at)
       select id, count(*) over ()::integer as count from due order by opened_at limit ${limit}`
    )
    return { count: due[0]?.count ?? 0, oldest: due.map(({ id }) => id) }
  }

  /** Claims the right of a poll to read the service now. All instances together get it once in two seconds. */
  async claimPoll(rowId: string): Promise<boolean> {
    const claimed = await this.run<unknown[]>(
      sql`with clock as (select ${this.clock.now()}::timestamptz as now)
       update payment_service_transaction set poll_claimed_at = clock.now
       from clock where id = ${rowId}
         and (poll_claimed_at is null
           or poll_claimed_at < clock.now - (${POLL_INTERVAL_MS} * interval '1 millisecond'))
         and (apply_after is null or apply_after <= clock.now)
       returning id`
    )
    return claimed.length > 0
  }

  /**
   * Claims, for one worker only, the transaction of a merchant account that has been due longest. Claiming puts its next watch off
   * by a minute, so it is due again if the worker dies.
   *
   * @returns null when none is due there
   */
  async claimDue(
    merchant: MerchantAccount
  ): Promise<Pick<TransactionRow, "id" | "transaction_id"> | null> {
    const now = this.clock.now()
    const [claimed] = await this.run<Pick<TransactionRow, "id" | "transaction_id">[]>(
      sql`update payment_service_transaction
       set watch_at = ${now}::timestamptz + interval '1 minute'
       where id = (
         select t.id from payment_service_transaction t
         where ${WATCHED} and ${MERCHANT_ACCOUNT_OF_ROW} = ${merchantAccountId(merchant)} and t.watch_at <= ${now}
         order by t.watch_at limit 1 for update skip locked)
       returning id, transaction_id`
    )
    return claimed ?? null
  }

  /** Sets a transaction's next watch by its schedule. */
  async planWatch(id: string): Promise<void> {
    const row = await this.transactions.get(id)
    // A proof of payment or a hint since the row was loaded wins. A second hint changes only `hinted_at`.
    await this.run(
      sql`update payment_service_transaction set watch_at = ${nextWatchAt(row, this.clock.now())}
       where id = ${id} and watch_at is not distinct from ${row.watch_at}
         and hinted_at is not distinct from ${row.hinted_at}`
    )
  }

  /** Counts the due transactions of each merchant account that no account of the options has. */
  async findNotConfigured(merchantAccountIds: string[]): Promise<NotConfigured[]> {
    return merchantAccountIds.length
      ? await this.run<NotConfigured[]>(
          sql`select lower(t.merchant_id) as "merchantId", t.base_url as "baseUrl",
             count(*)::integer as count, min(t.opened_at) as oldest, max(t.watch_at) as "newestDue"
           from payment_service_transaction t
           where ${WATCHED} and ${MERCHANT_ACCOUNT_OF_ROW} in (${join(merchantAccountIds)}) and t.watch_at <= ${this.clock.now()}
             and t.handled_at is null
           group by lower(t.merchant_id), t.base_url`
        )
      : []
  }
}
