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
import { LONGEST_PASS_MS, LONGEST_READING_MS } from "../../settlement/timing"
import { settleInBackground } from "../settle/settle-in-background"
import { reportGivenUp } from "./report-unwatched"
import { WatchedMerchant } from "./watched-merchant"

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
    await new Pass(container, module, accounts, merchants).run()
  })
}

type DueRow = Pick<TransactionRow, "id" | "transaction_id">

/**
 * Takes the next due transaction as soon as there is room for it. The merchants take turns, and one with slow reads leaves room
 * for the others.
 */
class Pass {
  private readonly reading = new Set<Promise<void>>()
  private readonly began = performance.now()
  /** Reads of the service for the whole store, and the most of them at the same time. */
  private readonly limits: Accounts["store"]["watcher"]
  /** The earliest beginning of the next read (`performance.now()`). Another instance may have read just before us. */
  private nextRead: number

  constructor(
    private readonly container: MedusaContainer,
    private readonly module: PaymentServiceModuleService,
    private readonly accounts: Accounts,
    private readonly merchants: WatchedMerchant[]
  ) {
    this.limits = accounts.store.watcher
    this.nextRead = this.began + this.gapMs
  }

  private get gapMs(): number {
    return 1_000 / this.limits.readsPerSecond
  }

  async run(): Promise<void> {
    for (;;) {
      const merchant = this.nextMerchant()
      const early = this.nextRead - performance.now()
      if (merchant && early > 0) {
        await sleep(early)
      } else if (merchant) {
        await this.beginAt(merchant)
      } else if (this.reading.size) {
        await Promise.race([...this.reading, sleep(RECHECK_MS)])
      } else {
        break
      }
    }
    for (const merchant of this.merchants) await this.endRound(merchant)
  }

  /** The merchant that has waited longest for its turn, among those for which another read may begin. */
  private nextMerchant(): WatchedMerchant | undefined {
    if (performance.now() - this.began > LONGEST_PASS_MS) {
      return undefined
    }
    const now = this.module.clock.now()
    const { concurrency } = this.limits
    const free = concurrency - this.reading.size
    return this.merchants
      .filter(
        (merchant) =>
          merchant.canBegin(now) && merchant.hasRoom(free, concurrency, this.merchants.length)
      )
      .sort((one, other) => one.lastTurn - other.lastTurn)[0]
  }

  private async beginAt(merchant: WatchedMerchant): Promise<void> {
    merchant.lastTurn = performance.now()
    const row = await this.module.dueTransactions.claimDue(merchant.merchant)
    if (!row) {
      merchant.emptyUntil = performance.now() + RECHECK_MS
      if (merchant.isRoundOver()) await this.endRound(merchant)
      return
    }
    merchant.emptyUntil = 0
    merchant.pausedUntil = null
    this.nextRead = performance.now() + this.gapMs
    const reading = this.read(merchant, row).finally(() => this.reading.delete(reading))
    this.reading.add(reading)
  }

  /** Settles the row; a settle that takes long runs on, and leaves its place to another read. */
  private async read(merchant: WatchedMerchant, row: DueRow): Promise<void> {
    merchant.reading++
    const settling = this.settle(merchant, row)
    await Promise.race([settling, sleep(LONGEST_READING_MS, undefined, { ref: false })])
    merchant.reading--
    if (merchant.isRoundOver()) await this.endRound(merchant)
  }

  private async settle(merchant: WatchedMerchant, row: DueRow): Promise<void> {
    const failure = await settle(this.container, this.module, row, this.accounts)
    merchant.count(failure, this.module.clock.now())
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
    await module.problems.report(problem("service_unreachable", facts))
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

/** Code of the shop may throw anything. */
function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(reasonOf(error))
}
