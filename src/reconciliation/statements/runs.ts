import { isAmong } from "../../database/list-query"
import { assignments, jsonb, raw, sql, Statements } from "../../database/sql"
import type { ReconciliationRunRow, TransactionRow } from "../../modules/payment-service/tables"
import { type Merchant, providerIdOf } from "../../payments/rules/transaction"
import { isOfMerchant, PAID_AND_NOT_HANDLED } from "../../payments/statements/rules-in-sql"
import { causeOfMissing, causeOfUnread } from "../../problems/rules/problems"
import type { Refusal } from "../../problems/rules/reasons"
import { OPEN } from "../../problems/statements/problems-in-sql"
import { redact, redactFacts } from "../../service/redact"
import type { Period } from "../../values/local-days"

export interface Page {
  after: string
  limit: number
}

export type ComparisonCounts = Record<"records" | "matched" | "differences" | "settled", number>

export class Reconciliation extends Statements {
  /** Whether anything was ever opened with this merchant, or without one with any. */
  async hasTransactions(merchant?: Merchant): Promise<boolean> {
    const isMeant = merchant ? isOfMerchant(merchant.merchantId) : raw("true")
    const rows = await this.run<unknown[]>`select 1 from payment_service_transaction t
      where deleted_at is null and ${isMeant} limit 1`
    return rows.length > 0
  }

  async providersOf({ merchantId }: Merchant): Promise<string[]> {
    const rows = await this.run<{ method: string; account: string }[]>`
      select distinct method, account from payment_service_transaction t
      where ${isOfMerchant(merchantId)} and deleted_at is null`
    return rows.map(providerIdOf)
  }

  async lastRun({ baseUrl, merchantId }: Merchant): Promise<ReconciliationRunRow | null> {
    const [last] = await this.database.tables.listReconciliationRuns(
      { merchant_id: merchantId.toLowerCase(), base_url: baseUrl },
      { order: { started_at: "DESC", id: "DESC" }, take: 1 }
    )
    return last ?? null
  }

  /** The time since which no comparison of this merchant has ended without an error; null when the last one did. */
  async incompleteSince({ baseUrl, merchantId }: Merchant): Promise<Date | null> {
    const ofMerchant = sql`merchant_id = ${merchantId.toLowerCase()} and base_url = ${baseUrl}
      and deleted_at is null and finished_at is not null`
    const [{ since }] = await this.run<[{ since: Date | null }]>`
      select min(started_at) as since from payment_service_reconciliation_run
      where ${ofMerchant} and started_at > coalesce((
        select max(started_at) from payment_service_reconciliation_run
        where ${ofMerchant} and error is null), '-infinity')`
    return since
  }

  async begin({ baseUrl, merchantId }: Merchant, span: Period): Promise<ReconciliationRunRow> {
    return await this.database.tables.createReconciliationRuns({
      merchant_id: merchantId.toLowerCase(),
      base_url: baseUrl,
      ...span,
      started_at: this.clock.now(),
    })
  }

  /** Records the end, the reason for an early one, and how many problems opened meanwhile about this merchant's rows or none. */
  async finish(
    { id, started_at, merchant_id }: ReconciliationRunRow,
    counts: ComparisonCounts,
    ended: { error: string; reasons: Refusal[] } | null
  ): Promise<void> {
    const now = this.clock.now()
    const columns = {
      ...counts,
      finished_at: now,
      error: ended && redact(ended.error),
      reasons: ended && jsonb(redactFacts(ended.reasons)),
    }
    await this.run`
      update payment_service_reconciliation_run set ${assignments(columns)}, updated_at = now(), problems = (
          select count(*) from payment_service_problem p
          left join payment_service_transaction t on t.id = p.transaction_row_id
          where p.opened_at between ${started_at} and ${now} and p.deleted_at is null
            and (t.id is null or ${isOfMerchant(merchant_id)}))
      where id = ${id}`
  }

  /** Paid rows of a span, without those of a known reversal, or that a person took care of. */
  async paidRows({ baseUrl, merchantId }: Merchant, opened: Period): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>`select id from payment_service_transaction t
      where ${isOfMerchant(merchantId)} and base_url = ${baseUrl} and ${PAID_AND_NOT_HANDLED}
        and exception is distinct from 'reversed' and deleted_at is null
        and opened_at between ${opened.from} and ${opened.to}`
    return rows.map(({ id }) => id)
  }

  /** Rows with one of these ids of the service, in lower case. */
  async rowsOf(transactionIds: string[]): Promise<TransactionRow[]> {
    return await this.run`select * from payment_service_transaction
      where ${isAmong("lower(transaction_id)", transactionIds)} and deleted_at is null`
  }

  /** Rows with an open problem that an answer of the service ends. */
  async unreadRows({ baseUrl, merchantId }: Merchant): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>`select t.id from payment_service_problem p
      join payment_service_transaction t on t.id = p.transaction_row_id
      where ${OPEN} and p.cause in (${causeOfUnread("")} || t.id, ${causeOfMissing("")} || t.id)
        and ${isOfMerchant(merchantId)} and t.base_url = ${baseUrl} and t.deleted_at is null`
    return rows.map(({ id }) => id)
  }

  async settledRows(page: Page): Promise<TransactionRow[]> {
    return await this.run`select * from payment_service_transaction t
      where settled_at is not null and id > ${page.after} and deleted_at is null
      order by id limit ${page.limit}`
  }
}
