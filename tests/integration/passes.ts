import { AsyncLocalStorage } from "node:async_hooks"

import type { DueWork } from "../../src/payments/statements/due-transactions"
import { Queue, queueOf } from "../../src/payments/queue"
import { startDueWork } from "../../src/payments/start-due-work"
import { reconcileNow } from "./reconcile-now"
import type { TestStore } from "./store"
import { setUntilTheTestEnds, untilTheTestEnds } from "./until-the-test-ends"

const NOTHING_IS_DUE: DueWork = {
  transactions: null,
  events: null,
  missed: false,
  unpaidOrders: false,
  completions: false,
  subscriptions: false,
  lostPayouts: false,
  proofsToBook: false,
  unknownPayouts: false,
  notConfigured: null,
}

/** The watcher when a test, and nobody else, says when they run and what time it is. */
export interface Passes {
  /** Runs the watcher's work about transactions, problems and events until nothing more is due. */
  watch: () => Promise<void>
  /** One run of its job, and what that began. */
  runJob: () => Promise<void>
  /** One comparison with the service's records. */
  reconcile: () => Promise<void>
  /** Lets time pass for the store and the service together. */
  advance: (ms: number) => void
  /** Gives the watcher and the clock back to the store, as the end of the test does. */
  release: () => void
}

/** In the end nothing of a watcher is due that has looked so often. */
const MOST_LOOKS = 3

/**
 * Runs the store's watcher at the test's word: the scheduled one goes on, but finds nothing to do. The time
 * of the store is the simulator's from now on, so that a request there is counted at the store's time.
 */
export async function takeOverPasses(store: TestStore): Promise<Passes> {
  const { module, simulator, container } = store
  const ours = new AsyncLocalStorage<true>()
  const findDueWork = module.watching.findDueWork.bind(module.watching)
  const spy = jest
    .spyOn(module.watching, "findDueWork")
    .mockImplementation(async (configured) =>
      ours.getStore() ? await findDueWork(configured) : NOTHING_IS_DUE
    )
  await queueOf(module).idle()
  const { clock } = module
  module.clock = { now: () => new Date(simulator.now()) }
  // Each run is a process of its own: what another one is at, or hangs at, is none of its business.
  const run = async (most: number) =>
    await ours.run(true, async () => {
      // Some tests start the module again, with other options.
      const queue = new Queue(store.module)
      for (let looks = 0; looks < most; looks++) {
        await startDueWork(container, queue)
        await queue.idle()
      }
    })
  const release = () => {
    module.clock = clock
    spy.mockRestore()
  }
  untilTheTestEnds(release)
  return {
    watch: () => run(MOST_LOOKS),
    runJob: () => run(1),
    reconcile: async () => {
      await reconcileNow(store)
    },
    advance: (ms) => {
      simulator.advance(ms)
    },
    release,
  }
}

/** The store's own watcher waits meanwhile, also that of a module that is started anew. */
export async function withoutWatcher<T>(store: TestStore, work: () => Promise<T>): Promise<T> {
  const goOn = await stopWatcher(store)
  return await work().finally(goOn)
}

/**
 * The store's own watcher waits until the test ends.
 *
 * @returns a function that ends this before the test does
 */
export async function stopWatcher({ module }: TestStore): Promise<() => void> {
  const watching = Object.getPrototypeOf(module.watching) as typeof module.watching
  const spy = jest
    .spyOn(watching, "findDueWork")
    .mockImplementation(() => Promise.resolve(NOTHING_IS_DUE))
  const goOn = () => spy.mockRestore()
  untilTheTestEnds(goOn)
  await queueOf(module).idle()
  return goOn
}

/** The store's clock goes six times as fast, so these tests wait less for due work. */
export function withFastClock(store: TestStore): void {
  beforeEach(() => {
    const { clock } = store.module
    const began = clock.now().getTime()
    setClock(store, () => began + 6 * (clock.now().getTime() - began))
  })
}

/** The store's time is this until the test ends. */
export function setClock({ module }: TestStore, now: () => number): void {
  setUntilTheTestEnds(module, { clock: { now: () => new Date(now()) } })
}

/** The store's time stands still, however slow the machine is, but for what the test adds to it. */
export function stopClock(store: TestStore): { now: number } {
  const time = { now: store.module.clock.now().getTime() }
  setClock(store, () => time.now)
  return time
}

/** The store's time is so much later from now on. */
export function setClockAhead(store: TestStore, ms: number): void {
  const { clock } = store.module
  setClock(store, () => clock.now().getTime() + ms)
}

/** Does something while the store's clock is so far ahead. */
export async function ahead<T>(
  { module }: Pick<TestStore, "module">,
  ms: number,
  work: () => Promise<T>
): Promise<T> {
  const { clock } = module
  module.clock = { now: () => new Date(clock.now().getTime() + ms) }
  try {
    return await work()
  } finally {
    module.clock = clock
  }
}
