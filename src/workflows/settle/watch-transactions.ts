import type { MedusaContainer } from "@medusajs/framework/types"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { reasonOf } from "./apply-action"
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
    if (last?.paused_until && last.paused_until > new Date()) {
      return
    }
    const most = readsPerSecond * secondsBetweenPasses
    const { settled, failed } = await settleDue(container, most, concurrency)
    const isSilent = failed > 0 && settled === 0
    const isIdle = failed + settled === 0
    const before = last?.silent_passes ?? 0
    const silent = isSilent ? before + 1 : isIdle ? before : 0
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (silent - 1), LONGEST_PAUSE_MS)
    await module.recordWatcherRun({
      settled,
      failed,
      silent_passes: silent,
      paused_until: isSilent ? new Date(Date.now() + pause * (0.75 + Math.random() / 2)) : null,
    })
  })
}

/** Settles transactions that are due, oldest first, at most so many, so many at a time. */
export async function settleDue(
  container: MedusaContainer,
  most: number,
  concurrency: number
): Promise<{ settled: number; failed: number }> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const waiting = await module.claimDueTransactions(most)
  const outcome = { settled: 0, failed: 0 }
  const work = async () => {
    for (let row = waiting.shift(); row; row = waiting.shift()) {
      outcome[(await settle(container, module, row)) ? "settled" : "failed"]++
    }
  }
  await Promise.all(Array.from({ length: concurrency }, work))
  return outcome
}

async function settle(
  container: MedusaContainer,
  module: PaymentServiceModuleService,
  row: TransactionRow
): Promise<boolean> {
  try {
    await settleTransactionWorkflow(container).run({ input: { transaction_row_id: row.id } })
    return true
  } catch (error) {
    module.logger.warn(
      `Payment Service: transaction ${row.transaction_id ?? ""} could not be watched: ${reasonOf(error)}`
    )
    return false
  } finally {
    await module.planWatch(row.id)
  }
}
