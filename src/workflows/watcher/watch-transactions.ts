import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import {
  type Accounts,
  paymentServiceModule,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { PaymentServiceError } from "../../service/errors"
import { freshSince } from "../../settlement/evidence"
import { merchantAccountId } from "../../settlement/merchant-account"
import { problem } from "../../settlement/problems"
import {
  LONGEST_BACKGROUND_SETTLE_MS,
  LONGEST_PASS_MS,
  LONGEST_READING_MS,
} from "../../settlement/timing"
import { settleInBackground } from "../settle/settle-in-background"
import { reportGivenUp } from "./report-unwatched"
import { RunningWork } from "./running-work"
import { WatchedMerchant } from "./watched-merchant"

interface WatcherLimits {
  /** Reads of the service for the whole store, and the most of them at the same time. */
  readsPerSecond: number
  concurrency: number
}

export const WATCHER_LEASE = "watcher"
/** The next pass can begin this long after the process of one died. */
const LEASE_MS = 20_000
/** A merchant without due transactions is looked at again after this long, while reads for others go on. */
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
    const rounds = await module.watching.lastRounds()
    const merchants = accounts.merchantAccounts().map(
      (merchant) =>
        new WatchedMerchant(
          merchant,
          rounds.find(({ id }) => id === merchantAccountId(merchant))
        )
    )
    const record = (merchant: WatchedMerchant) => recordRound(module, merchant)
    await new Pass(container, module, accounts, merchants, accounts.store.watcher, record).run()
  })
}

/** The numbers of transactions that a pass settled, and could not settle. */
interface PassOutcome {
  settled: number
  failed: number
}

/**
 * Settles due transactions of all accounts, at most `most`, with `concurrency` at a time. For each merchant, `claimDue` chooses
 * the next one.
 */
export async function settleDue(
  container: MedusaContainer,
  most: number,
  concurrency: number,
  { longestMs = LONGEST_BACKGROUND_SETTLE_MS } = {}
): Promise<PassOutcome> {
  const module = paymentServiceModule(container)
  const accounts = await module.accounts()
  const merchants = accounts.merchantAccounts().map((merchant) => new WatchedMerchant(merchant))
  const limits = { readsPerSecond: Infinity, concurrency, most, longestMs }
  return await new Pass(container, module, accounts, merchants, limits).run()
}

/**
 * Takes the next due transaction as soon as there is room for it. The merchants take turns, and one with slow reads leaves room
 * for the others.
 */
class Pass {
  private readonly readers = new RunningWork()
  private readonly began = performance.now()
  private readonly outcome: PassOutcome = { settled: 0, failed: 0 }
  private begun = 0
  /** The earliest beginning of the next read (`performance.now()`). Another instance may have read just before us. */
  private nextRead: number

  constructor(
    private readonly container: MedusaContainer,
    private readonly module: PaymentServiceModuleService,
    private readonly accounts: Accounts,
    private readonly merchants: WatchedMerchant[],
    private readonly limits: WatcherLimits & { most?: number; longestMs?: number },
    private readonly record?: (merchant: WatchedMerchant) => Promise<void>
  ) {
    this.nextRead = this.began + this.gapMs
  }

  private get gapMs(): number {
    return 1_000 / this.limits.readsPerSecond
  }

  async run(): Promise<PassOutcome> {
    for (;;) {
      const merchant = this.nextMerchant()
      const early = this.nextRead - performance.now()
      if (merchant && early > 0) {
        await sleep(early)
      } else if (merchant) {
        await this.beginAt(merchant)
      } else if (this.readers.size) {
        await this.readers.oneEnds(RECHECK_MS)
      } else {
        break
      }
    }
    for (const merchant of this.merchants) await this.endRound(merchant)
    return this.outcome
  }

  /** The merchant that has waited longest for its turn, among those for which another read may begin. */
  private nextMerchant(): WatchedMerchant | undefined {
    const { most = Infinity, concurrency } = this.limits
    if (this.begun >= most || performance.now() - this.began > LONGEST_PASS_MS) {
      return undefined
    }
    const now = this.module.clock.now()
    const free = concurrency - this.readers.size
    return this.merchants
      .filter(
        (merchant) =>
          merchant.canBegin(now) && merchant.hasRoom(free, concurrency, this.merchants.length)
      )
      .sort((one, other) => one.lastTurn - other.lastTurn)[0]
  }

  private async beginAt(merchant: WatchedMerchant): Promise<void> {
    merchant.lastTurn = performance.now()
    const row = await this.module.dueTransactions.claimDue(
      merchant.merchant,
      merchant.silentPasses > 0
    )
    if (!row) {
      merchant.emptyUntil = performance.now() + RECHECK_MS
      if (merchant.isRoundOver()) await this.endRound(merchant)
      return
    }
    merchant.emptyUntil = 0
    merchant.pausedUntil = null
    this.begun++
    this.nextRead = performance.now() + this.gapMs
    merchant.reading++
    this.readers.start(async () => {
      const settling = this.settle(merchant, row)
      await Promise.race([settling, sleep(LONGEST_READING_MS, undefined, { ref: false })])
      merchant.reading--
      if (merchant.isRoundOver()) await this.endRound(merchant)
    })
  }

  private async settle(
    merchant: WatchedMerchant,
    row: Pick<TransactionRow, "id" | "transaction_id">
  ): Promise<void> {
    const { accounts, limits } = this
    const failure = await settle(this.container, this.module, row, {
      accounts,
      longestMs: limits.longestMs,
    })
    merchant.count(failure, this.module.clock.now())
    if (failure) this.outcome.failed++
    else this.outcome.settled++
  }

  private async endRound(merchant: WatchedMerchant): Promise<void> {
    if (merchant.settled + merchant.failed > 0) {
      merchant.endRound(this.module.clock.now())
      await this.record?.(merchant).catch((error: unknown) => {
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
    await module.problems.report(problem("service_unreachable", facts))
  }
}

/** @returns the error that prevented the settle, or null; it never throws */
async function settle(
  container: MedusaContainer,
  module: PaymentServiceModuleService,
  row: Pick<TransactionRow, "id" | "transaction_id">,
  options: { accounts: Accounts; longestMs?: number }
): Promise<Error | null> {
  const subject = `Payment Service: transaction ${row.transaction_id ?? ""}`
  try {
    const provenSince = freshSince(module.clock.now())
    const failure = await settleInBackground(container, row.id, { provenSince, ...options }).then(
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

/** Code of the shop may throw anything. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(reasonOf(error))
}
