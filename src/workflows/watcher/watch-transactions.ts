import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"
import pLimit from "p-limit"

import {
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { asError, reasonOf } from "../../modules/payment-service/reason-of"
import { PaymentServiceError } from "../../service/errors"
import { freshSince } from "../../settlement/evidence"
import { merchantAccountId } from "../../settlement/merchant-account"
import { problem } from "../../settlement/problems"
import { LONGEST_PASS_MS, LONGEST_READING_MS } from "../../settlement/timing"
import { settleInBackground } from "../settle/settle-in-background"
import { reportGivenUp } from "./report-unwatched"
import { WatchedMerchant } from "./watched-merchant"

export const WATCHER_LEASE = "watcher"
/** The next pass can begin this long after the process of one died. */
const LEASE_MS = 20_000
/** While other merchants are being read, a merchant is looked at again after this long. */
const RECHECK_MS = 1_000
const LONG_SILENCE_MS = 10 * 60_000

/**
 * One pass of the watcher: settles the due transactions, within the store's limits, and records the result per merchant. Returns
 * at once while another instance runs a pass. A merchant in its pause is skipped.
 */
export async function watchTransactions(
  container: MedusaContainer,
  accounts: Accounts
): Promise<void> {
  const module = paymentServiceModule(container)
  await module.leases.tryHold(WATCHER_LEASE, { ttlMs: LEASE_MS }, async () => {
    const rounds = await module.listWatcherRuns({}, { take: null })
    const merchants = accounts.merchantAccounts().map((merchant) => {
      const before = rounds.find(({ id }) => id === merchantAccountId(merchant))
      return new WatchedMerchant(merchant, before)
    })
    await new Pass(container, module, accounts, merchants).run()
  })
}

type DueRow = Pick<TransactionRow, "id" | "transaction_id">

/** Reads what is due at each merchant. Each has its share of the parallel reads, so that a slow one holds up nobody else. */
class Pass {
  private readonly began = performance.now()
  /** The number of merchants that are being read. */
  private going = 0
  /** The most reads of a merchant, and of the whole store, at the same time. */
  private readonly share: number
  private readonly inTurn: pLimit.Limit
  /** The pause between two reads of the whole store, and the earliest beginning of the next one (`performance.now()`). */
  private readonly gapMs: number
  private nextRead: number

  constructor(
    private readonly container: MedusaContainer,
    private readonly module: PaymentServiceModuleService,
    private readonly accounts: Accounts,
    private readonly merchants: WatchedMerchant[]
  ) {
    const { concurrency, readsPerSecond } = accounts.store.watcher
    this.inTurn = pLimit(concurrency)
    this.share = Math.max(1, Math.floor(concurrency / merchants.length))
    this.gapMs = 1_000 / readsPerSecond
    // Another instance may have read just before us.
    this.nextRead = this.began + this.gapMs
  }

  async run(): Promise<void> {
    await Promise.all(this.merchants.map((merchant) => this.watch(merchant)))
  }

  private isOver(): boolean {
    return performance.now() - this.began > LONGEST_PASS_MS
  }

  /** Reads what is due at a merchant, and what falls due there while others are being read. */
  private async watch(merchant: WatchedMerchant): Promise<void> {
    for (;;) {
      this.going++
      await Promise.all(Array.from({ length: this.share }, () => this.readDue(merchant))).finally(
        () => this.going--
      )
      await this.endRound(merchant)
      if (this.going === 0 || this.isOver()) return
      await sleep(RECHECK_MS)
    }
  }

  /** Settles one due transaction after the other; a settle that takes long runs on, and leaves its place to the next. */
  private async readDue(merchant: WatchedMerchant): Promise<void> {
    while (!this.isOver() && merchant.canBegin(this.module.clock.now())) {
      merchant.reading++
      const row = await this.module.dueTransactions.claimDue(merchant.merchant)
      if (row) await this.inTurn(() => this.settle(merchant, row))
      merchant.reading--
      if (!row) return
    }
  }

  private async settle(merchant: WatchedMerchant, row: DueRow): Promise<void> {
    const now = performance.now()
    const begins = Math.max(now, this.nextRead)
    this.nextRead = begins + this.gapMs
    if (begins > now) await sleep(begins - now)
    const settling = settle(this.container, this.module, row, this.accounts).then((failure) =>
      merchant.count(failure, this.module.clock.now())
    )
    await Promise.race([settling, sleep(LONGEST_READING_MS, undefined, { ref: false })])
  }

  private async endRound(merchant: WatchedMerchant): Promise<void> {
    if (merchant.settled + merchant.failed > 0) {
      merchant.endRound(this.module.clock.now())
      await recordRound(this.module, merchant).catch((error: unknown) => {
        this.module.logger.warn(`Payment Service: a pass could not be recorded: ${reasonOf(error)}`)
      })
      merchant.forgetRound()
    }
  }
}

async function recordRound(
  module: PaymentServiceModuleService,
  { merchant, settled, failed, silentPasses, silentSince, pausedUntil }: WatchedMerchant
): Promise<void> {
  await module.watching.record(merchant, {
    settled,
    failed,
    silent_passes: silentPasses,
    silent_since: silentSince,
    paused_until: pausedUntil,
  })
  const silentMs = silentSince ? module.clock.now().getTime() - silentSince.getTime() : 0
  if (silentSince && silentMs > LONG_SILENCE_MS) {
    // Any answer of the service for this merchant closes it, see `recordRead`.
    const { baseUrl, merchantId } = merchant
    const facts = { baseUrl, merchantId, since: silentSince.toISOString() }
    await module.problems.report(problem("service_unreachable", facts), {}, silentSince)
  }
}

/** @returns the error that prevented the settle, or null; it never throws */
async function settle(
  container: MedusaContainer,
  module: PaymentServiceModuleService,
  row: DueRow,
  accounts: Accounts
): Promise<Error | null> {
  const subject = `Payment Service: transaction ${row.transaction_id ?? ""}`
  try {
    const provenSince = freshSince(module.clock.now())
    const failure = await settleInBackground(container, row.id, { provenSince, accounts }).then(
      () => null,
      async (error: unknown): Promise<Error> => {
        module.logger.warn(`${subject} could not be watched: ${reasonOf(error)}`)
        // `not_found` is an answer, too, and usual for a transaction that nobody ever paid.
        const isAnswered = error instanceof PaymentServiceError && error.kind === "not_found"
        if (!isAnswered) await reportGivenUp(module, row.id, error)
        return asError(error)
      }
    )
    await module.dueTransactions.planWatch(row.id)
    return failure
  } catch (error) {
    // `claimDue` has made the transaction due again in a minute.
    module.logger.warn(`${subject} could not be planned: ${reasonOf(error)}`)
    return asError(error)
  }
}
