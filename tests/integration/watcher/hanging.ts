import { randomUUID } from "node:crypto"

import { Modules } from "@medusajs/framework/utils"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import type { TransactionRow } from "../../../src/modules/payment-service"
import { type Simulator, startSimulator } from "../../../simulator"
import { Queue, queueOf } from "../../../src/payments/queue"
import { reconcile } from "../../../src/reconciliation/reconcile"
import { TIMEOUTS } from "../../../src/service/client"
import { addRows } from "../add-rows"
import { standStillAt } from "../at-labelled-points"
import { type Passes, stopClock, takeOverPasses } from "../passes"
import {
  expectOrderOf,
  type OpenPayment,
  paidUnheard,
  payUntilSettled,
  rowOf,
  Shopper,
} from "../shopper"
import { type TestStore, withOptions } from "../store"
import { gate, setUntilTheTestEnds } from "../until-the-test-ends"

const SECOND = 1_000
const MINUTE = 60 * SECOND
/** More than are tried before the service gets a pause. */
const MANY = 12

export function workThatHangs(store: TestStore): void {
  let dead: Simulator
  beforeAll(async () => {
    dead = await startSimulator({ merchantId: randomUUID(), secret: "secret-of-the-dead" })
  })
  afterAll(() => dead.close())
  // A second account, at a service that answers nothing.
  withOptions(store, () => ({
    watcher: { readsPerSecond: 50 },
    accounts: {
      main: {},
      dead: {
        baseUrl: dead.url,
        merchantId: dead.merchantId,
        secret: dead.secret,
      },
    },
  }))

  /** The carts for which the shop's own hook in core's workflow does not end. */
  const inHook = new Map<string, Promise<void>>()
  completeCartWorkflow.hooks.validate(async ({ cart }: { cart: { id: string } }) => {
    await inHook.get(cart.id)
  })

  let passes: Passes
  beforeEach(async () => {
    dead.fault({ on: "any", kind: "hang", times: Infinity })
    dead.clearRequests()
    // A living one may be slow where the machine is.
    setUntilTheTestEnds(TIMEOUTS, { readMs: 2_000 })
    passes = await takeOverPasses(store)
  })

  it("a dead account takes neither the reads nor the pauses of a living one", async () => {
    // A pause ends when the test says so.
    const clock = stopClock(store)
    const { now } = clock
    const deadRows = await addRows(
      store,
      Array.from({ length: 3 * MANY }, () => ({
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
    expect(tried).toBeLessThanOrEqual(MANY)
    const [silence, ...others] = await store.module.listSilences()
    expect(silence).toMatchObject({ id: expect.stringContaining(dead.url) as string })
    expect(Number(silence?.paused_until)).toBeGreaterThan(clock.now)
    expect(others).toEqual([])

    // The dead one is left alone for a while, and only that one.
    dead.clearRequests()
    const more = await addLiving(store, 2, now)
    await passes.watch()
    await expectRead(store, more, true)
    expect(dead.requests()).toEqual([])

    // However many of the first it has in vain, it is asked again, and found when it lives.
    dead.clearFaults()
    clock.now += 2 * MINUTE
    await passes.watch()
    const asked = new Set(dead.requests().map(({ path }) => path)).size
    expect(asked).toBeGreaterThanOrEqual(3 * MANY)
  })

  it("a shop's hook that hangs, and a cart that stays locked, keep no other customer waiting (promise 25)", async () => {
    // However slow the machine is, none of them is left behind, and the lock does not expire.
    setUntilTheTestEnds(Queue, { longestChangeMs: 60 * MINUTE })
    const shopper = new Shopper(store)
    const hanging: OpenPayment[] = []
    // More than are changed at once.
    while (hanging.length < 5) hanging.push(await shopper.checkout())
    const others = [await shopper.checkout(), await shopper.checkout()]
    const locking = store.container.resolve(Modules.LOCKING)
    const lockedId = hanging[0]?.cartId ?? ""
    await locking.acquire(lockedId, { ownerId: "another program", expire: 60 * 60 })
    const { passed, pass: goOn } = gate()
    for (const { cartId } of hanging) if (cartId !== lockedId) inHook.set(cartId, passed)
    for (const { data } of hanging) await store.simulator.pay(data.transaction_id)
    await Promise.all(others.map((payment) => payUntilSettled(store, payment)))
    for (const payment of hanging) {
      expect(await rowOf(store, payment)).toMatchObject({ state: "paid", settled_at: null })
    }
    goOn()
    await locking.release(lockedId, { ownerId: "another program" })
    for (const payment of hanging) await expectOrderOf(store, payment)
  })

  it("a callback goes before all that is due by itself", async () => {
    await store.restartModule({ watcher: { readsPerSecond: 1 } })
    const payment = await new Shopper(store).checkout()
    const due = await addLiving(store, 60)
    store.simulator.clearRequests()
    queueOf(store.module).takeUpBacklog()
    await payUntilSettled(store, payment)
    const reads = store.simulator.requests({ on: "get" }).map(({ path }) => path)
    // A slow machine has read all of them by now, but not before.
    expect(reads.slice(0, due.length)).toContain(`/transaction/${payment.data.transaction_id}`)
    const ids = due.map(({ id }) => id)
    await store.module.updateTransactions(ids.map((id) => ({ id, watch_at: null })))
  })

  it("a comparison goes on without a settle that hangs (promise 25)", async () => {
    const payment = await paidUnheard(store)
    standStillAt("apply:decided")
    setUntilTheTestEnds(Queue, { longestChangeMs: 2 * SECOND })
    await reconcile(store.container)
    const runs = await store.module.listReconciliationRuns({})
    const run = runs.find(({ merchant_id }) => merchant_id === store.simulator.merchantId)
    expect(run?.finished_at).not.toBeNull()
    expect(await rowOf(store, payment)).toMatchObject({ state: "paid" })
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

async function expectRead(store: TestStore, rows: TransactionRow[], read: boolean): Promise<void> {
  const ids = rows.map(({ id }) => id)
  const found = await store.module.listTransactions({ id: ids }, { take: null })
  expect(found.map(({ read_at }) => read_at !== null)).toEqual(ids.map(() => read))
}
