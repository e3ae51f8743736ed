import { randomUUID } from "node:crypto"

import type { TransactionRow } from "../../../src/modules/payment-service"
import { type Simulator, startSimulator } from "../../../src/simulator"
import { reconcile } from "../../../src/workflows/reconciliation/reconcile"
import { settleInBackground } from "../../../src/workflows/settle/settle-in-background"
import { addRows } from "../add-rows"
import { type Passes, takeOverPasses } from "../passes"
import { Shopper } from "../shopper"
import { eventually, type TestStore, withOptions } from "../store"

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** So many reads in a row without an answer are one round at a place. */
const ROUND = 10

export function workThatHangs(store: TestStore): void {
  let dead: Simulator
  beforeAll(async () => {
    dead = await startSimulator({ merchantId: randomUUID(), secret: "secret-of-the-dead" })
  })
  afterAll(() => dead.close())
  // A second account, at a service that answers nothing.
  withOptions(store, () => ({
    watcher: { readsPerSecond: 50, concurrency: 4 },
    accounts: {
      // A living one may be slow where the machine is.
      main: {},
      dead: {
        baseUrl: dead.url,
        merchantId: dead.merchantId,
        secret: dead.secret,
        timeouts: { readMs: 300 },
      },
    },
  }))

  let passes: Passes
  beforeEach(async () => {
    dead.fault({ on: "any", kind: "hang", times: Infinity })
    dead.clearRequests()
    passes = await takeOverPasses(store)
  })
  afterEach(() => {
    passes.release()
  })

  it("a dead account takes neither the reads nor the pauses of a living one", async () => {
    // Time stands still, however slow the machine is: a pause ends when the test says so.
    const clock = { now: store.module.clock.now().getTime() }
    const { now } = clock
    store.module.clock = { now: () => new Date(clock.now) }
    const deadRows = await addRows(
      store,
      Array.from({ length: 3 * ROUND }, () => ({
        account: "dead",
        base_url: dead.url,
        merchant_id: dead.merchantId,
        watch_at: new Date(now - 60 * SECOND),
      }))
    )
    const living = await addLiving(store, 8, now)
    await passes.watch()
    await expectRead(store, living, true)
    await expectRead(store, deadRows, false)
    const tried = new Set(dead.requests().map(({ path }) => path)).size
    expect(tried).toBeGreaterThan(1)
    expect(tried).toBeLessThanOrEqual(ROUND)
    const rounds = await store.module.listWatcherRuns()
    expect(
      rounds.map(({ id, paused_until }) => [id.includes(dead.url), Boolean(paused_until)])
    ).toEqual(
      expect.arrayContaining([
        [true, true],
        [false, false],
      ])
    )

    // The dead one is left alone for a while, and only that one.
    dead.clearRequests()
    const others = await addLiving(store, 2, now)
    await passes.watch()
    await expectRead(store, others, true)
    expect(dead.requests()).toEqual([])

    // However many of the first it has in vain, it is asked again, and found when it lives.
    dead.clearFaults()
    clock.now += 2 * MINUTE
    await passes.watch()
    const asked = new Set(dead.requests().map(({ path }) => path)).size
    expect(asked).toBeGreaterThanOrEqual(3 * ROUND)
  })

  it("a transaction that hangs keeps no other from being looked at (promise 25)", async () => {
    const now = store.module.clock.now().getTime()
    const [first] = await addLiving(store, 1, now)
    const letGo = hangAt(store, first)
    try {
      const pass = passes.watch()
      await letGo.hanging
      // They are due while it is being looked at, one after the other.
      for (let more = 0; more < 3; more++) {
        const rows = await addLiving(store, 4, now)
        await eventually("they are read", async () => await areRead(store, rows))
      }
      await expectRead(store, first ? [first] : [], false)
      letGo.goOn()
      await pass
      // The pass does not wait for what took long.
      await eventually("it is read, too", () => areRead(store, first ? [first] : []))
    } finally {
      letGo.goOn()
    }
  })

  it("a callback whose settle hangs keeps no other waiting", async () => {
    const [hangs, other] = await addLiving(store, 2, Date.now() + MINUTE)
    const letGo = hangAt(store, hangs)
    try {
      await store.simulator.sendCallback(hangs?.transaction_id ?? "")
      await letGo.hanging
      await store.simulator.sendCallback(other?.transaction_id ?? "")
      await eventually("the other one is read", async () => await areRead(store, [other!]))
      await expectRead(store, [hangs!], false)
    } finally {
      letGo.goOn()
    }
    await eventually("it goes on in the end", async () => await areRead(store, [hangs!]))
  })

  it("a settle that hangs is left behind, and its transaction is tried again when it has ended", async () => {
    const [hangs] = await addLiving(store, 1, Date.now() + MINUTE)
    const letGo = hangAt(store, hangs)
    const settle = (longestMs?: number) =>
      settleInBackground(store.container, hangs?.id ?? "", { longestMs })
    try {
      await expect(settle(2 * SECOND)).rejects.toThrow("it took longer than 2 s")
      await expect(settle()).rejects.toThrow("an earlier attempt has not ended yet")
    } finally {
      letGo.goOn()
    }
    await eventually("it may be settled again", async () => {
      return await settleInBackground(store.container, hangs?.id ?? "").then(
        () => true,
        () => false
      )
    })
  })

  it("a comparison goes on without a settle that hangs (promise 25)", async () => {
    const payment = await new Shopper(store).checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    const row = await store.module.findBySession(payment.sessionId)
    const letGo = hangAt(store, row ?? undefined)
    try {
      await reconcile(store.container, 2 * SECOND)
      const runs = await store.module.listReconciliationRuns({})
      const run = runs.find(({ merchant_id }) => merchant_id === store.simulator.merchantId)
      expect(run?.finished_at).not.toBeNull()
      expect(run?.error).toContain("it took longer than 2 s")
    } finally {
      letGo.goOn()
    }
  })
}

/** Due transactions that the living service knows. */
async function addLiving(
  store: TestStore,
  count: number,
  due = store.module.clock.now().getTime()
): Promise<TransactionRow[]> {
  const rows = await addRows(
    store,
    Array.from({ length: count }, () => ({
      transaction_id: store.simulator.addTransaction({ amount: 1000 }).id,
      watch_at: new Date(due),
    }))
  )
  for (const { id, transaction_id } of rows) {
    store.simulator.edit(transaction_id ?? "", { payload: id })
  }
  return rows
}

async function areRead(store: TestStore, rows: TransactionRow[]): Promise<boolean> {
  const [, unread] = await store.module.listAndCountTransactions({
    id: rows.map(({ id }) => id),
    read_at: null,
  })
  return unread === 0
}

async function expectRead(store: TestStore, rows: TransactionRow[], read: boolean): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const found = await store.module.listTransactions({ id: ids }, { take: null })
  expect(found.map(({ read_at }) => read_at !== null)).toEqual(ids.map(() => read))
}

/** The first settle of this transaction stands still when it would write down what it has read. */
function hangAt(
  store: TestStore,
  row: TransactionRow | undefined
): { hanging: Promise<void>; goOn: () => void } {
  const { transactions } = store.module
  const recordRead = transactions.recordRead.bind(transactions)
  let goOn = () => {}
  let isHanging = () => {}
  const released = new Promise<void>((resolve) => (goOn = resolve))
  const hanging = new Promise<void>((resolve) => (isHanging = resolve))
  let hung = false
  const spy = jest.spyOn(transactions, "recordRead").mockImplementation(async (before, ...rest) => {
    if (before.id === row?.id && !hung) {
      hung = true
      isHanging()
      await released
    }
    return await recordRead(before, ...rest)
  })
  return {
    hanging,
    goOn: () => {
      goOn()
      spy.mockRestore()
    },
  }
}
