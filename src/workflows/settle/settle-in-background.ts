import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import { LONGEST_BACKGROUND_SETTLE_MS } from "../../settlement/timing"
import { settlePortsOf } from "../ports"
import { recordUnfinished } from "./apply-decision"
import { type SettleOptions, settleTransaction } from "./settle-transaction"

/** Hanging settles stay in memory. With this many of them, the process begins no other in the background. */
const MOST_LEFT_BEHIND = 100

/** The work took too long and is no longer waited for. It may still end. */
class TookTooLong extends Error {}

/**
 * Waits for background work, but not for ever, so that hanging work does not hold up the rest.
 *
 * @throws the work's error, or another one when it takes too long
 */
export async function withDeadline<T>(longestMs: number, work: Promise<T>): Promise<T> {
  const ended = new AbortController()
  const tooLong = async () => {
    await sleep(longestMs, undefined, { signal: ended.signal, ref: false })
    throw new TookTooLong(`it took longer than ${longestMs / 1_000} s, and is not waited for`)
  }
  try {
    return await Promise.race([work, tooLong()])
  } finally {
    ended.abort()
  }
}

/** Rows whose settle was left behind in this process and still runs. */
const leftBehind = new Set<string>()

/**
 * Settles a transaction in the background: for callbacks, polls, the watcher, reconciliation and subscribers. A hanging settle is
 * left behind, and this process does not try its row again until it ends.
 *
 * @throws the settle's error, or another one when it takes too long or an earlier one still hangs
 */
export async function settleInBackground(
  container: MedusaContainer,
  rowId: string,
  {
    longestMs = LONGEST_BACKGROUND_SETTLE_MS,
    ...options
  }: SettleOptions & { longestMs?: number } = {}
): Promise<void> {
  const ports = settlePortsOf(container)
  try {
    if (leftBehind.has(rowId)) throw new TookTooLong("an earlier attempt has not ended yet")
    if (leftBehind.size >= MOST_LEFT_BEHIND) {
      throw new TookTooLong(`${leftBehind.size} others have not ended yet: this process hangs`)
    }
    const settling = settleTransaction(ports, rowId, options)
    await withDeadline(longestMs, settling).catch((error: unknown) => {
      if (error instanceof TookTooLong) {
        leftBehind.add(rowId)
        const isOver = () => leftBehind.delete(rowId)
        void settling.then(isOver, isOver)
      }
      throw error
    })
  } catch (error) {
    if (error instanceof TookTooLong) {
      // A person is told when this is repeated, see `QUIET_ATTEMPTS`.
      await recordUnfinished(ports.module, rowId, error)
    }
    throw error
  }
}
