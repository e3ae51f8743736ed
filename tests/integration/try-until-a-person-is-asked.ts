import { QUIET_ATTEMPTS } from "../../src/payments/rules/transaction"
import type { OpenPayment } from "./shopper"
import { settleDue } from "./settle-due"
import { eventually, type TestStore } from "./store"

/** Longer than the pauses between the quiet attempts, and short enough for several attempts within `LONGEST_LOCK_MS`. */
const LEAP_MS = 20_000

/**
 * The quiet attempts at an order, without waiting for the pauses between them. An attempt that core's engine breaks off by
 * itself, because this machine is busy, is not counted, as long as the leaps have not taken the clock past `LONGEST_LOCK_MS`.
 */
export async function tryUntilAPersonIsAsked(
  store: TestStore,
  { sessionId }: OpenPayment
): Promise<void> {
  const { clock } = store.module
  let ahead = 0
  store.module.clock = { now: () => new Date(clock.now().getTime() + ahead) }
  try {
    await eventually("it was tried often enough", async () => {
      ahead += LEAP_MS
      await settleDue(store)
      const row = await store.module.findBySession(sessionId)
      return row && row.apply_attempts > QUIET_ATTEMPTS
    })
  } finally {
    store.module.clock = clock
  }
  // The leaps have put these into the future, where the exception would count as newer than a person's decision about it.
  const row = await store.module.findBySession(sessionId)
  const now = clock.now()
  const past = { exception_at: now, hinted_at: row?.hinted_at && now, claimed_until: now }
  await store.module.updateTransactions({ id: row?.id ?? "", ...past })
}
