import { reconcile } from "../../src/workflows/reconciliation/reconcile"
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
