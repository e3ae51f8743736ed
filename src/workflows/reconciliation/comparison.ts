import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import pLimit from "p-limit"

import type {
  Accounts,
  PaymentServiceModuleService,
  TransactionRow,
} from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import type { ComparisonCounts } from "../../modules/payment-service/reconciliation"
import type { MerchantAccount } from "../../settlement/merchant-account"
import type { Span } from "../../settlement/reconciliation-schedule"
import type { SingleRead } from "../../settlement/compare-record"
import type { Refusal } from "../../settlement/problems/refusals"
import type { StatusNames } from "../../settlement/transaction-status"
import { reasonOf, refusalOf } from "../../modules/payment-service/reason-of"
import { nullIfNotFound, PaymentServiceError } from "../../service/errors"
import { queueOf } from "../settle/queue"

/** After this many failures in a row, the service is not asked until the comparison is made again. */
const MOST_FAILURES_IN_A_ROW = 10

/** The service's answer about one transaction. */
interface SingleAnswer<T> {
  /** Null when the service does not know it, or does not answer. */
  answer: T | null
  /** The reason why it cannot be read, though the service answers for others. */
  unreadable: Refusal | null
}

/** One running comparison with the records of one merchant. */
export class Comparison {
  readonly counts: ComparisonCounts = { records: 0, matched: 0, differences: 0, settled: 0 }
  /** The number of differences that could not be judged, and the reason for the first one. */
  failures = { count: 0, first: "" }
  /** The paid records of our rows so far, by the rows' ids: another one is a second payment. */
  readonly paidRecords = new Map<string, string>()
  /** The id of a transaction on which list and row agree. */
  agreed: string | null = null
  private failuresInARow = 0
  private nextReadAt = 0

  constructor(
    readonly container: MedusaContainer,
    readonly module: PaymentServiceModuleService,
    readonly accounts: Accounts,
    readonly merchant: ConfiguredMerchantAccount,
    readonly span: Span,
    /** The beginning. Listed rows are marked with this time (`listed_at`). */
    readonly startedAt: Date,
    readonly limits: { readsPerSecond: number; concurrency: number; longestSettleMs: number }
  ) {}

  /** The service's codes that its list is asked for; none means all. */
  get listedCodes(): { statuses: string[]; paymentMethods: string[] } {
    const options = this.merchant.accounts.map((account) => account.export)
    return {
      statuses: codesOf(options.map(({ statusCodes }) => statusCodes)),
      paymentMethods: codesOf(options.map(({ methodCodes }) => methodCodes)),
    }
  }

  get otherMerchants(): MerchantAccount[] {
    return this.accounts.merchantsBut(this.merchant)
  }

  /** The status names of the row's account, else of the merchant's first account. */
  statusesOf(row: TransactionRow | null): StatusNames {
    const own = row && this.accounts.findForRow(row)
    return (own ?? this.merchant.accounts[0]).statuses
  }

  /**
   * Runs `work` for all items, as many at a time as the store allows. A failed item does not stop the others.
   *
   * @throws Error after too many failures in a row
   */
  async forEach<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
    const inTurn = pLimit(this.limits.concurrency)
    const attempt = async (item: T) => {
      if (this.failuresInARow >= MOST_FAILURES_IN_A_ROW) return
      try {
        await work(item)
        this.failuresInARow = 0
      } catch (error) {
        this.failures.first ||= reasonOf(error)
        this.failures.count++
        this.failuresInARow++
      }
    }
    await Promise.all(items.map((item) => inTurn(attempt, item)))
    if (this.failuresInARow >= MOST_FAILURES_IN_A_ROW) {
      throw new Error(`Too many failures in a row: ${this.failures.first}`)
    }
  }

  /** Settles one transaction, at the pace that the store allows. */
  async settle(rowId: string): Promise<SingleRead> {
    if (!this.accounts.findForRow(await this.module.transactions.get(rowId))) {
      return { isKnownThere: false, unreadable: { code: "no_account", detail: "" } }
    }
    const { answer, unreadable } = await this.askSingle(async () => {
      const row = await this.module.transactions.get(rowId)
      await queueOf(this.module).settle(row, this.limits.longestSettleMs)
      return true
    })
    return { isKnownThere: answer !== null, unreadable }
  }

  /**
   * Makes a call about one transaction. After a failure, the service is asked for another transaction. If it answers that, the
   * failure is about this one; if not, the service is down, which is not reported for each payment.
   *
   * @throws the call's error, when the service is down or the error is not from the service
   */
  async askSingle<T>(call: () => Promise<T>): Promise<SingleAnswer<T>> {
    try {
      return { answer: await this.read(call), unreadable: null }
    } catch (error) {
      if (!(error instanceof PaymentServiceError) || !(await this.answersForAnother())) throw error
      return { answer: null, unreadable: refusalOf(error) }
    }
  }

  private async answersForAnother(): Promise<boolean> {
    const { agreed } = this
    if (agreed === null) return false
    const client = this.accounts.clientAt(this.merchant)
    return await this.read(() => client.getTransaction(agreed)).then(
      () => true,
      () => false
    )
  }

  /** Makes a call to the service when its turn comes; null when the service does not know the transaction. */
  private async read<T>(call: () => Promise<T>): Promise<T | null> {
    await this.pace()
    return await nullIfNotFound(call())
  }

  private async pace(): Promise<void> {
    const now = performance.now()
    const turn = Math.max(now, this.nextReadAt)
    this.nextReadAt = turn + 1_000 / this.limits.readsPerSecond
    if (turn > now) {
      await sleep(turn - now)
    }
  }
}

/** The filter codes of all accounts. Unless every account names some, the list is empty, which means all. */
function codesOf(codes: Record<string, string>[]): string[] {
  const named = codes.map((byLabel) => Object.values(byLabel))
  return named.every((own) => own.length > 0) ? [...new Set(named.flat())] : []
}
