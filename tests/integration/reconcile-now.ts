import { setTimeout as sleep } from "node:timers/promises"

import { reconcile } from "../../src/reconciliation/reconcile"
import type { TestStore } from "./store"

/** Compares now, whatever was compared before, and answers what it came to. */
export async function reconcileNow(store: TestStore) {
  const before = await store.module.listReconciliationRuns()
  await store.module.deleteReconciliationRuns(before.map(({ id }) => id))
  // The database's clock is known to within a round trip; what was just made must not be later than the list.
  const lag = store.simulator.now() - store.module.clock.now().getTime()
  if (lag >= 0 && lag < 5_000) await sleep(lag + 1)
  await reconcile(store.container)
  const [run, ...others] = await store.module.listReconciliationRuns()
  if (!run || others.length) throw new Error(`Compared ${others.length} times too often`)
  return run
}
