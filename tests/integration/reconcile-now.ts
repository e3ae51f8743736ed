import { reconcile } from "../../src/workflows/reconciliation/reconcile"
import { WATCHER_LEASE } from "../../src/workflows/settle/watch-transactions"
import type { TestStore } from "./store"

/** Compares now, whatever was compared before, and answers what it came to. */
export async function reconcileNow(store: TestStore) {
  const before = await store.module.listReconciliationRuns()
  await store.module.deleteReconciliationRuns(before.map(({ id }) => id))
  await reconcile(store.container)
  const [run, ...others] = await store.module.listReconciliationRuns()
  if (!run || others.length) throw new Error(`Compared ${others.length} times too often`)
  return run
}

/** The store's own watcher waits meanwhile. */
export async function withoutWatcher(store: TestStore, work: () => Promise<void>): Promise<void> {
  await store.module.leases.hold(WATCHER_LEASE, { ttlMs: 30_000, waitMs: 30_000 }, work)
}
