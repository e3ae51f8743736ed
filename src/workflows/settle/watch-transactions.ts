import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import type { PaymentServiceErrorKind } from "../../service/errors"
import { SERVICE_UNREACHABLE } from "../../settlement/cause"
import { finishCompletions } from "./half-made-orders"
import { reportWhatWasMissed } from "./report-settlement"
import { reportGivenUp, reportNotConfigured } from "./report-unwatched"
import { settleTransactionWorkflow } from "./settle-transaction"

export interface WatcherLimits {
  /** Reads of the service for the whole store, and how many of them at the same time. */
  readsPerSecond: number
  concurrency: number
}

export const WATCHER_LEASE = "watcher"
/** A pass that dies lets the next one begin after this long. */
const LEASE_MS = 20_000
/** While the service answers nothing at all: 4, 8, 16 … s between passes, with jitter. */
const FIRST_PAUSE_MS = 4_000
const LONGEST_PAUSE_MS = 2 * 60_000
const LONG_SILENCE_MS = 10 * 60_000
/** What a service may ask for in `Retry-After`; beyond that it is looked at again anyway. */
const LONGEST_WISH_MS = 10 * 60_000
/** A settle that takes longer hangs, in a hook of the shop's for example; the others go on without it. */
const LONGEST_SETTLE_MS = 3 * 60_000

/**
 * One pass of the watcher: settles the transactions that are due, within the store's limits. Returns at
 * once when another instance is at it, or while the service is given time to recover.
 */
export async function watchTransactions(
  container: MedusaContainer,
  { readsPerSecond, concurrency }: WatcherLimits,
  secondsBetweenPasses: number
): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  await module.leases.tryHold(WATCHER_LEASE, LEASE_MS, async () => {
    const last = await module.lastWatcherRun()
    if (last?.paused_until && last.paused_until > module.clock.now()) {
      return
    }
    const inMs = (pause: number) => new Date(module.clock.now().getTime() + pause)
    const most = readsPerSecond * secondsBetweenPasses
    const before = last?.silent_passes ?? 0
    const { settled, failed, answered, retryAfterMs } = await settleDue(
      container,
      most,
      concurrency,
      // While nothing answers, those that never will must not be asked first each time.
      { inTurn: before > 0 }
    )
    await reportNotConfigured(module)
    await reportWhatWasMissed(container)
    await finishCompletions(container)
    const hasAnswered = settled > 0 || Boolean(answered)
    const isSilent = failed > 0 && !hasAnswered
    const isIdle = failed + settled === 0
    const silent = isSilent ? before + 1 : isIdle ? before : 0
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (silent - 1), LONGEST_PAUSE_MS)
    const silentSince = silent ? (last?.silent_since ?? module.clock.now()) : null
    const wish = Math.min(retryAfterMs ?? 0, LONGEST_WISH_MS)
    const pauseMs = Math.max(isSilent ? pause * (0.75 + Math.random() / 2) : 0, wish)
    await reportSilence(module, silentSince, hasAnswered)
    await module.recordWatcherRun({
      settled,
      failed,
      silent_passes: silent,
      silent_since: silentSince,
      paused_until: pauseMs ? inMs(pauseMs) : null,
    })
  })
}

/** A service that has been silent for long is a person's business; when it answers again, nobody's. */
async function reportSilence(
  module: PaymentServiceModuleService,
  silentSince: Date | null,
  hasAnswered: boolean
): Promise<void> {
  if (hasAnswered) {
    await module.problems.closeCause(SERVICE_UNREACHABLE, "settled")
  } else if (
    silentSince &&
    module.clock.now().getTime() - silentSince.getTime() > LONG_SILENCE_MS
  ) {
    await module.problems.open({
      kind: "service_unreachable",
      cause: SERVICE_UNREACHABLE,
      message:
        `The payment service has answered nothing since ${silentSince.toISOString()}. ` +
        "Payments are settled as soon as it does.",
    })
  }
}

/** What became of the transactions of a pass. */
export interface PassOutcome {
  settled: number
  failed: number
  /** Of those that failed, how many for another reason than the service being out of order. */
  answered?: number
  /** The longest pause that the service asked for. */
  retryAfterMs?: number
}

/** Settles transactions that are due, at most so many, so many at a time; the order is `claimDue`'s. */
export async function settleDue(
  container: MedusaContainer,
  most: number,
  concurrency: number,
  { inTurn = false, longestMs = LONGEST_SETTLE_MS } = {}
): Promise<PassOutcome> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const waiting = await module.transactions.claimDue(most, inTurn)
  const outcome: PassOutcome = { settled: 0, failed: 0 }
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      count(outcome, await settle(container, module, row, longestMs))
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return outcome
}

function count(outcome: PassOutcome, failure: Failure | null): void {
  if (!failure) {
    outcome.settled++
    return
  }
  outcome.failed++
  if (!OUT_OF_ORDER.has(failure.kind)) outcome.answered = (outcome.answered ?? 0) + 1
  if (failure.retryAfterMs !== undefined) {
    outcome.retryAfterMs = Math.max(outcome.retryAfterMs ?? 0, failure.retryAfterMs)
  }
}

/** Kinds of errors that may have nothing to do with the transaction that was read. */
const OUT_OF_ORDER = new Set<unknown>([
  "unauthorized",
  "rate_limited",
  "unavailable",
  "timeout",
  "malformed",
] satisfies PaymentServiceErrorKind[])

/** As much as is left of a `PaymentServiceError` on its way through a workflow. */
interface Failure {
  kind?: unknown
  retryAfterMs?: number
}

async function settle(
  container: MedusaContainer,
  module: PaymentServiceModuleService,
  row: TransactionRow,
  longestMs: number
): Promise<Failure | null> {
  const ended = new AbortController()
  const tooLong = async () => {
    await sleep(longestMs, undefined, { signal: ended.signal, ref: false })
    throw new Error(`it took longer than ${longestMs / 1_000} s, and is not waited for`)
  }
  try {
    await Promise.race([
      settleTransactionWorkflow(container).run({ input: { transaction_row_id: row.id } }),
      tooLong(),
    ])
    return null
  } catch (error) {
    module.logger.warn(
      `Payment Service: transaction ${row.transaction_id ?? ""} could not be watched: ${reasonOf(error)}`
    )
    const failure: Failure = typeof error === "object" && error !== null ? error : {}
    // That it does not know the transaction is an answer, and usual for what nobody ever paid.
    if (failure.kind !== "not_found") await reportGivenUp(module, row.id, reasonOf(error))
    return failure
  } finally {
    ended.abort()
    await module.transactions.planWatch(row.id)
  }
}
