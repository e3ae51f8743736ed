import { AsyncLocalStorage } from "node:async_hooks"

import settleCallbacks from "../../src/jobs/settle-callbacks"
import watch from "../../src/jobs/watch-transactions"
import { WATCHER_LEASE } from "../../src/workflows/settle/watch-transactions"
import { eventually } from "./eventually"
import { reconcileNow } from "./reconcile-now"
import type { TestStore } from "./store"

/** The watcher and the inbox when a test, and nobody else, says when they run and what time it is. */
export interface Passes {
  /** One run of the job that watches transactions. */
  watch: () => Promise<void>
  /** One run of the job that takes up callbacks. */
  takeUpCallbacks: () => Promise<void>
  /** One comparison with the service's records. */
  reconcile: () => Promise<void>
  /** Lets time pass for the store and the service together. */
  advance: (ms: number) => void
  /** Gives jobs and clock back to the store. */
  release: () => void
}

/**
 * Runs the store's jobs at the test's word: the scheduled ones go on, but find nothing to do. The time
 * of the store is the simulator's from now on, so that a request there is counted at the store's time.
 */
export async function takeOverPasses(store: TestStore): Promise<Passes> {
  const { module, simulator, container } = store
  const ours = new AsyncLocalStorage<true>()
  const tryHold = module.leases.tryHold.bind(module.leases)
  const claimDueCallbacks = module.inbox.claimDue.bind(module.inbox)
  const closeUnknownCallbacks = module.inbox.closeUnknown.bind(module.inbox)
  const spies = [
    jest.spyOn(module.leases, "tryHold").mockImplementation(async (...lease) => {
      if (ours.getStore()) await tryHold(...lease)
    }),
    jest
      .spyOn(module.inbox, "claimDue")
      .mockImplementation(async (limit) => (ours.getStore() ? await claimDueCallbacks(limit) : [])),
    jest.spyOn(module.inbox, "closeUnknown").mockImplementation(async () => {
      if (ours.getStore()) await closeUnknownCallbacks()
    }),
  ]
  // A pass of the store's own may have begun just before, and be about to read what the test makes.
  await eventually(
    "no other pass",
    async () => !(await module.leases.isHeld(WATCHER_LEASE)),
    60_000
  )
  const { clock } = module
  module.clock = { now: () => new Date(simulator.now()) }
  return {
    watch: () => ours.run(true, () => watch(container)),
    takeUpCallbacks: () => ours.run(true, () => settleCallbacks(container)),
    reconcile: async () => {
      await ours.run(true, () => reconcileNow(store))
    },
    advance: (ms) => {
      simulator.advance(ms)
    },
    release: () => {
      module.clock = clock
      for (const spy of spies) spy.mockRestore()
    },
  }
}

/** The store's own watcher waits meanwhile. */
export async function withoutWatcher(store: TestStore, work: () => Promise<void>): Promise<void> {
  await store.module.leases.hold(WATCHER_LEASE, { ttlMs: 30_000, waitMs: 30_000 }, work)
}
