import { redact } from "../../service/redact"
import type { RowId, TransactionId } from "../../settlement/ids"
import { type MerchantAccount, merchantAccountId } from "../../settlement/merchant-account"
import type { Span } from "../../settlement/reconciliation-schedule"
import type { Clock } from "./clock"
import { join, type RunSql, sql } from "./sql"

/** The counts of a comparison so far. */
export interface ComparisonCounts {
  records: number
  matched: number
  differences: number
  settled: number
}

/**
 * Keeps for reconciliation which rows the service has listed, and what became of each comparison. Every
 * statement gives the same result when it is repeated.
 */
export class Reconciliation {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** Was anything ever opened with this merchant? */
  async hasTransactions({ merchantId }: MerchantAccount): Promise<boolean> {
    const rows = await this.run<unknown[]>(
      sql`select 1 from payment_service_transaction
       where lower(merchant_id) = ${merchantId.toLowerCase()} and deleted_at is null limit 1`
    )
    return rows.length > 0
  }

  /** Payment providers whose transactions were opened with this merchant. */
  async providersOf({ merchantId }: MerchantAccount): Promise<string[]> {
    const rows = await this.run<{ provider_id: string }[]>(
      sql`select distinct provider_id from payment_service_transaction
       where lower(merchant_id) = ${merchantId.toLowerCase()} and deleted_at is null`
    )
    return rows.map(({ provider_id }) => provider_id)
  }

  /** Records that a comparison begins, and resets what the one before it counted. */
  async begin(merchant: MerchantAccount, { from, to }: Span): Promise<Date> {
    const now = this.clock.now()
    await this.run(
      sql`insert into payment_service_reconciliation_run (id, "from", "to", started_at)
       values (${merchantAccountId(merchant)}, ${from}, ${to}, ${now})
       on conflict (id) do update set "from" = excluded."from", "to" = excluded."to",
         started_at = excluded.started_at, finished_at = null, error = null, records = 0, matched = 0,
         differences = 0, settled = 0, updated_at = now()`
    )
    return now
  }

  /** @param error why it ended early, or null when it went through */
  async finish(
    merchant: MerchantAccount,
    counts: ComparisonCounts,
    error: string | null
  ): Promise<void> {
    const { records, matched, differences, settled } = counts
    await this.run(
      sql`update payment_service_reconciliation_run set finished_at = ${this.clock.now()},
         error = ${error === null ? null : redact(error)}, records = ${records}, matched = ${matched},
         differences = ${differences}, settled = ${settled}, updated_at = now()
       where id = ${merchantAccountId(merchant)}`
    )
  }

  /** Records that the service's list has these rows. `listedAt` is the same for all of one comparison. */
  async markListed(rowIds: string[], listedAt: Date): Promise<void> {
    if (rowIds.length) {
      await this.run(
        sql`update payment_service_transaction set listed_at = ${listedAt} where id in (${join(rowIds)})`
      )
    }
  }

  /**
   * Paid rows that the list of this comparison did not have, in order of their ids; without those whose
   * reversal is known or that a person took care of.
   */
  async findUnlisted(
    { baseUrl, merchantId }: MerchantAccount,
    opened: Span,
    listedAt: Date,
    page: { after: string; limit: number }
  ): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>(
      sql`select id from payment_service_transaction
       where lower(merchant_id) = ${merchantId.toLowerCase()} and base_url = ${baseUrl} and state = 'paid' and handled_at is null
         and exception is distinct from 'reversed' and deleted_at is null
         and opened_at between ${opened.from} and ${opened.to}
         and (listed_at is null or listed_at < ${listedAt}) and id > ${page.after}
       order by id limit ${page.limit}`
    )
    return rows.map(({ id }) => id)
  }

  /** Orders that payments of this merchant were taken for, in order of their ids. */
  async paidOrders(
    { baseUrl, merchantId }: MerchantAccount,
    page: { after: string; limit: number }
  ): Promise<string[]> {
    const rows = await this.run<{ order_id: string }[]>(
      sql`select distinct order_id from payment_service_transaction
       where lower(merchant_id) = ${merchantId.toLowerCase()} and base_url = ${baseUrl}
         and settled_at is not null and order_id > ${page.after} and deleted_at is null
       order by order_id limit ${page.limit}`
    )
    return rows.map(({ order_id }) => order_id)
  }

  /**
   * Gives a row the transaction id that the lost reply to its creation contained, and makes it due for the
   * watcher. Nothing happens when the row has an id by now, or another row has this one.
   *
   * @returns whether the row has this id now
   */
  async bind(rowId: RowId, transactionId: TransactionId, status: string): Promise<boolean> {
    const key = transactionId.toLowerCase()
    const bound = await this.run<unknown[]>(
      sql`update payment_service_transaction set transaction_id = ${transactionId},
         transaction_key = ${key}, state = 'pending', status = ${status}, watch_at = ${this.clock.now()},
         updated_at = now()
       where id = ${rowId} and transaction_key is null and state in ('creating', 'unknown', 'refused')
         and not exists (
           select 1 from payment_service_transaction where transaction_key = ${key} and deleted_at is null)
       returning id`
    )
    if (bound.length) {
      return true
    }
    const known = await this.run<unknown[]>(
      sql`select 1 from payment_service_transaction where id = ${rowId} and transaction_key = ${key}`
    )
    return known.length > 0
  }
}
