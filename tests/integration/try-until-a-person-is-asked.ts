import { QUIET_ATTEMPTS } from "../../src/settlement/standing"
import { settleDue } from "../../src/workflows/watcher/watch-transactions"
import type { OpenPayment } from "./shopper"
import { eventually, type TestStore } from "./store"

/** The quiet attempts at an order, without waiting for the pauses between them. */
export async function tryUntilAPersonIsAsked(
  store: TestStore,
  { sessionId }: OpenPayment
): Promise<void> {
  const { clock } = store.module
  let ahead = 0
  store.module.clock = { now: () => new Date(clock.now().getTime() + ahead) }
  try {
    await eventually("it was tried often enough", async () => {
      ahead += 60_000
      await settleDue(store.container, 10, 1)
      const row = await store.module.findBySession(sessionId)
      return row && row.apply_attempts > QUIET_ATTEMPTS
    })
  } finally {
    store.module.clock = clock
  }
}
