import { randomUUID } from "node:crypto"
import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import pLimit from "p-limit"

import type { PaymentServiceModuleService, TransactionRow } from "../../modules/payment-service"
import type { ComparisonCounts, ServicePlace } from "../../modules/payment-service/reconciliation"
import type { Span } from "../../settlement/reconciliation-schedule"
import type { ReadAlone } from "../../settlement/compare-record"
import type { Refusal } from "../../settlement/problems/refusals"
import type { StatusNames } from "../../settlement/transaction-status"
import { reasonOf, refusalOf } from "../../modules/payment-service/reason-of"
import { PaymentServiceError } from "../../service/errors"
import { settleWithin } from "../settle/within"

/** A service that fails this often in a row is left alone until the comparison is made again. */
const MOST_FAILURES_IN_A_ROW = 10

/** What came of asking for a transaction alone. */
export interface Alone<T> {
  /** Null when the service does not know it, or does not say. */
  answer: T | null
  /** Why it cannot be read, though the service answers for others. */
  unreadable: Refusal | null
}

/** One comparison with the records of one merchant, while it goes on. */
export class Comparison {
  readonly counts: ComparisonCounts = { records: 0, matched: 0, differences: 0, settled: 0 }
  /** Why a difference could not be looked at; the first of them, and how many there were. */
  failures = { count: 0, first: "" }
  private failuresInARow = 0
  private nextReadAt = 0

  constructor(
    readonly container: MedusaContainer,
    readonly module: PaymentServiceModuleService,
    readonly place: ServicePlace,
    readonly span: Span,
    /** When it began, which is the moment that rows are marked as listed with. */
    readonly startedAt: Date,
    readonly limits: { readsPerSecond: number; concurrency: number; longestSettleMs: number }
  ) {}

  /** The names of statuses, as the account of a row has them, if one leads to it. */
  statusesOf(row: TransactionRow | null): StatusNames {
    const own = row && this.module.findOptionsForRow(row)
    return (own ?? this.place.accounts[0]).statuses
  }

  /** Works on all items, so many at a time as the store allows. One that fails does not keep up the others. */
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

  /** Reads a transaction alone and lets Medusa follow, at the pace that the store allows. */
  async settle(rowId: string): Promise<ReadAlone> {
    if (!this.module.findOptionsForRow(await this.module.transactions.get(rowId))) {
      return { isKnownThere: false, unreadable: { code: "no_account", detail: "" } }
    }
    const { answer, unreadable } = await this.askAlone(async () => {
      await settleWithin(this.container, rowId, { longestMs: this.limits.longestSettleMs })
      return true
    })
    return { isKnownThere: answer !== null, unreadable }
  }

  /**
   * A call about one transaction. That it cannot be read says something about this transaction only while
   * the service answers for others: else it is out of order, which is nothing to tell of each payment.
   *
   * @throws what the call throws, when the service is out of order or the failure is not a read's
   */
  async askAlone<T>(call: () => Promise<T>): Promise<Alone<T>> {
    try {
      return { answer: await this.read(call), unreadable: null }
    } catch (error) {
      if (!(error instanceof PaymentServiceError) || !(await this.answersForOthers())) throw error
    }
    try {
      // It may have come back in between.
      return { answer: await this.read(call), unreadable: null }
    } catch (error) {
      if (!(error instanceof PaymentServiceError)) throw error
      return { answer: null, unreadable: refusalOf(error) }
    }
  }

  /** It need not know the transaction, and cannot know this one. */
  private async answersForOthers(): Promise<boolean> {
    try {
      await this.read(() => this.module.clientAt(this.place).getTransaction(randomUUID()))
      return true
    } catch {
      return false
    }
  }

  /** A call to the service, when its turn comes; null when the service does not know what was asked for. */
  private async read<T>(call: () => Promise<T>): Promise<T | null> {
    await this.pace()
    try {
      return await call()
    } catch (error) {
      if (error instanceof PaymentServiceError && error.kind === "not_found") return null
      throw error
    }
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
