import { randomUUID } from "node:crypto"

import { Modules } from "@medusajs/framework/utils"

import type { TransactionRow } from "../../../src/modules/payment-service"
import { TIMEOUTS } from "../../../src/service/client"
import { time } from "../../../src/texts"
import { settleTransactionWorkflow } from "../../../src/workflows"
import { addRows } from "../add-rows"
import { standStillAt } from "../at-labelled-points"
import { followCallbacks } from "../follow-callbacks"
import { type Passes, takeOverPasses } from "../passes"
import { saying } from "../problems-of"
import {
  expectPaidOrder,
  type OpenPayment,
  ordersOf,
  paidUnheard,
  payUntilSettled,
  Shopper,
} from "../shopper"
import { eventually, settledRow, type TestStore, withOptions } from "../store"
import { setUntilTheTestEnds } from "../until-the-test-ends"

const SECOND = 1_000
const MINUTE = 60 * SECOND

export function watcherInTrouble(store: TestStore): void {
  // Reads follow each other soon, so that there can be many of them.
  withOptions(store, () => ({ watcher: { readsPerSecond: 50 } }))
  const shopper = new Shopper(store)

  const callbacks = followCallbacks(store)
  const takeOver = () => takeOverPasses(store)
  /** Reads that fail again and again end soon. Others have the time that a busy machine needs. */
  const beImpatient = () => setUntilTheTestEnds(TIMEOUTS, { readMs: 300 })
  afterEach(() => {
    store.simulator.setCallbackMode({ drop: false })
  })

  it("404 for an id that it has just given: pending, and an order by itself (promise 3)", async () => {
    const { watch, advance } = await takeOver()
    const payment = await paidUnheard(store, shopper)
    store.simulator.fault({ on: "get", kind: "status", status: 404, times: Infinity })
    await store.simulator.sendCallback(payment.data.transaction_id)
    await callbacks.allSettled()
    const began = store.simulator.now()
    while (store.simulator.now() - began < 14 * MINUTE) {
      await advanceToNextWatch(store, payment, advance)
      await watch()
      await expectStillPending(store, payment)
    }
    expect(await openProblems(store)).toEqual([])
    store.simulator.clearFaults()
    await passUntilSettled(store, payment, { watch, advance })
    await expectPaidOrder(store, payment.cartId)
  })

  it("answers about one payment that cannot be read, though others can: told after ten minutes (promise 10)", async () => {
    const { watch, advance } = await takeOver()
    const payment = await shopper.checkout()
    const { transaction_id: transactionId } = payment.data
    await store.simulator.pay(transactionId, { callback: false })
    store.simulator.fault({ on: "get", kind: "truncate", transactionId, times: Infinity })
    const named = store.simulator.now()
    await store.simulator.sendCallback(transactionId)
    const others = []
    while (store.simulator.now() - named < 12 * MINUTE) {
      expect(await openProblems(store)).toEqual([])
      if (others.length < 4) others.push(await payUntilSettled(store, await shopper.checkout()))
      advance(3 * MINUTE)
      await watch()
    }
    const told = await store.module.listProblems({ closed_at: null })
    expect(told.map(saying)).toMatchObject([
      {
        kind: "service_unreachable",
        transaction_id: transactionId,
        message: expect.stringMatching(/though others can/),
      },
    ])
    store.simulator.clearFaults()
    await passUntilSettled(store, payment, { watch, advance })
    await expectPaidOrder(store, payment.cartId)
    expect(await openProblems(store)).toEqual([])
  })

  it("an outage from before the end of the time to pay until hours after it: the order is there minutes later (promise 3)", async () => {
    const { watch, advance } = await takeOver()
    const payment = await shopper.checkout()
    advance(14 * MINUTE)
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    store.simulator.fault({ on: "get", kind: "status", status: 503, times: Infinity })
    for (let pass = 0; pass < 30; pass++) {
      await watch()
      advance(6 * MINUTE)
    }
    store.simulator.clearFaults()
    const back = store.simulator.now()
    await passUntilSettled(store, payment, { watch, advance })
    expect(store.simulator.now() - back).toBeLessThan(15 * MINUTE)
    await expectPaidOrder(store, payment.cartId)
  })

  it("a service that is silent: longer and longer pauses, a problem after ten minutes, and none when it is back (promise 10)", async () => {
    beImpatient()
    const { watch, advance } = await takeOver()
    // Two would be read in one pass or, on a busy machine, in one each.
    const payment = await shopper.checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    store.simulator.fault({ on: "get", kind: "drop_before", times: Infinity })
    store.simulator.clearRequests()
    const began = store.simulator.now()
    const passesWithReads: number[] = []
    while (store.simulator.now() - began < 14 * MINUTE) {
      const before = store.simulator.requests().length
      await watch()
      const at = await readAt(store, before)
      if (at) passesWithReads.push(at)
      if (store.simulator.now() - began < 9 * MINUTE) expect(await openProblems(store)).toEqual([])
      const pausedFor =
        ((await silence(store))?.paused_until?.getTime() ?? 0) - store.simulator.now()
      advance(Math.max(pausedFor, 5 * SECOND))
    }
    const pauses = passesWithReads.slice(1).map((at, index) => at - (passesWithReads[index] ?? 0))
    expect(pauses.length).toBeGreaterThan(5)
    expect(pauses.length).toBeLessThan(16)
    expect(Math.max(...pauses.slice(0, 2))).toBeLessThan(Math.min(...pauses.slice(4)))
    expect(await openProblems(store)).toEqual(["service_unreachable"])
    expect(await silence(store)).toMatchObject({ since: expect.any(Date) as Date })
    // A person who has taken care of it is not told of the same silence again.
    const [told] = await store.module.listProblems({
      kind: "service_unreachable",
      closed_at: null,
    })
    const handled = { resolution: "handled" as const, by: "user_1", note: "asked the service" }
    await store.module.problems.closeByPerson(told?.id ?? "", handled)
    advance(10 * MINUTE)
    await watch()
    expect(await openProblems(store)).toEqual([])

    store.simulator.clearFaults()
    await passUntilSettled(store, payment, { watch, advance })
    await expectPaidOrder(store, payment.cartId)
    expect(await openProblems(store)).toEqual([])
    expect(await silence(store)).toBeUndefined()
  })

  it("a pass that dies half-way: the next one begins without it, and takes up what it had claimed", async () => {
    const { watch, advance } = await takeOver()
    const payments = [await shopper.checkout(), await shopper.checkout()]
    for (const { data } of payments) {
      await store.simulator.pay(data.transaction_id, { callback: false })
    }
    advance(5 * SECOND)
    // It stands still with an answer in its hands, as a process does that was stopped.
    const { standing, goOn } = standStillAt("read:answered", payments.length)
    const dead = watch()
    await standing
    const [other] = await addDueRows(store, 1)
    await watch()
    // The one that stands still may have taken it, a moment before: only its two are held.
    await eventually("the other one is read", async () => {
      return (await store.module.retrieveTransaction(other?.id ?? "")).read_at
    })
    for (const { sessionId } of payments) {
      expect(await store.module.findBySession(sessionId)).toMatchObject({ paid_at: null })
    }
    advance(MINUTE)
    await watch()
    for (const { sessionId } of payments) await settledRow(store, sessionId)
    // It was not dead after all.
    goOn()
    await dead
    for (const { cartId } of payments) await expectPaidOrder(store, cartId)
  })

  it("a hundred that are never answered for do not keep twenty others waiting (promise 25)", async () => {
    beImpatient()
    const { watch, advance } = await takeOver()
    const paid = [await shopper.checkout(), await shopper.checkout()]
    for (const { data } of paid) {
      await store.simulator.pay(data.transaction_id, { callback: false })
    }
    // The poison is due first: 40 with which the service is in trouble, 60 that it does not know.
    const failing = await addDueRows(store, 40, () => `dead0000${randomUUID().slice(8)}`)
    const unknown = await addDueRows(store, 60, () => randomUUID())
    const good = await addDueRows(store, 18)
    store.simulator.fault({ on: "get", kind: "hang", path: /\/dead0000-/, times: Infinity })
    const began = store.simulator.now()
    advance(5 * SECOND)
    const unsettled = async () => {
      const rows = await store.module.listTransactions(
        { id: good.map(({ id }) => id), read_at: null },
        { take: null }
      )
      const open = await Promise.all(
        paid.map(({ sessionId }) => store.module.findBySession(sessionId))
      )
      return rows.length + open.filter((row) => !row?.settled_at).length
    }
    for (let pass = 0; pass < 150 && (await unsettled()); pass++) {
      await watch()
      advance(2 * SECOND)
    }
    expect(await unsettled()).toBe(0)
    expect(store.simulator.now() - began).toBeLessThan(5 * MINUTE)
    for (const { cartId } of paid) await expectPaidOrder(store, cartId)
    // Nobody has given up on the others.
    const poison = [...failing, ...unknown].map(({ id }) => id)
    const [, watched] = await store.module.listAndCountTransactions({
      id: poison,
      watch_at: { $ne: null },
    })
    expect(watched).toBe(100)
  })

  it("tells of what is no longer configured, once per merchant and address, until it is again (promise 26)", async () => {
    const { watch, advance } = await takeOver()
    const baseUrl = `${store.simulator.url}/elsewhere`
    const [first, second, ours, other] = await addDueRows(store, 4)
    const move = async (row: TransactionRow | undefined, base_url: string) =>
      await store.module.updateTransactions({
        id: row?.id ?? "",
        base_url,
        watch_at: store.module.clock.now(),
      })
    const merchant_id = randomUUID()
    await store.module.updateTransactions({ id: other?.id ?? "", merchant_id })
    await move(first, baseUrl)
    advance(5 * SECOND)
    await watch()
    await move(second, baseUrl)
    advance(5 * SECOND)
    await watch()
    const found = (await store.module.listProblems({ kind: "not_configured" })).map(saying)
    expect(found).toHaveLength(2)
    const elsewhere = found.find(({ message }) => message.includes(baseUrl))
    const short = store.simulator.merchantId.slice(0, 8)
    expect(elsewhere?.message).toContain(`2 transactions of merchant ${short} at`)
    expect(elsewhere?.message).toContain(time(first?.opened_at.toISOString() ?? "").en)
    expect(
      found.find(({ message }) => message.includes(merchant_id.slice(0, 8)))?.closed_at
    ).toBeNull()
    // The secret goes, and is believed, only where an account leads (promise 22).
    const read = JSON.stringify(store.simulator.requests().map(({ path }) => path))
    expect(read).toContain(ours?.transaction_id)
    for (const unread of ["elsewhere", first?.transaction_id, other?.transaction_id]) {
      expect(read).not.toContain(unread)
    }
    const settling = settleTransactionWorkflow(store.container).run({
      input: { transaction_row_id: other?.id ?? "" },
    })
    await expect(settling).rejects.toMatchObject({
      message: expect.stringContaining("no longer configured"),
    })

    // A problem that a person has closed stays closed until another transaction is due there.
    const closed = { resolution: "handled" as const, by: "user_1", note: "asked the old service" }
    await store.module.problems.closeByPerson(elsewhere?.id ?? "", closed)
    advance(5 * SECOND)
    await watch()
    const openOf = async (cause: string) =>
      (await store.module.listProblems({ closed_at: null })).filter((one) => one.cause === cause)
    expect(await openOf(elsewhere?.cause ?? "")).toEqual([])
    await move(ours, baseUrl)
    advance(5 * SECOND)
    await watch()
    expect(await openOf(elsewhere?.cause ?? "")).toHaveLength(1)

    for (const row of [first, second, ours]) await move(row, store.simulator.url)
    await watch()
    expect(await openOf(elsewhere?.cause ?? "")).toEqual([])
    expect(await openProblems(store)).toEqual(["not_configured"])
  })

  it("tells of what it could not read for a week, until it is read after all", async () => {
    const { watch, advance } = await takeOver()
    const [row] = await addDueRows(store, 1)
    // The service says when their time is over, and each callback is a reason to look again.
    store.simulator.setCallbackMode({ drop: true })
    // Nobody paid it, and the service has forgotten it: nothing to tell.
    await addDueRows(store, 1, () => randomUUID())
    const transactionId = row?.transaction_id ?? ""
    store.simulator.fault({
      on: "get",
      kind: "status",
      status: 500,
      transactionId,
      times: Infinity,
    })
    const later = async () => await store.module.retrieveTransaction(row?.id ?? "")
    advance(7 * 24 * 60 * MINUTE)
    await watch()
    expect(await openProblems(store)).toEqual([])
    expect((await later()).watch_at).not.toBeNull()
    advance(2 * 24 * 60 * MINUTE)
    await watch()
    expect((await later()).watch_at).toBeNull()
    const found = await store.module.listProblems({ closed_at: null })
    // Nothing else was read in that time, so that the merchant's silence is told, too.
    const [problem, ...others] = found
      .map(saying)
      .filter(({ cause }) => !/^unreachable:/.test(cause))
    expect(others).toEqual([])
    expect(problem).toMatchObject({
      kind: "service_unreachable",
      cause: `unread:${row?.id ?? ""}`,
      transaction_row_id: row?.id,
      transaction_id: transactionId,
    })
    expect(problem?.message).toContain("could not be read for a week")

    store.simulator.clearFaults()
    advance(10 * MINUTE)
    await store.module.dueTransactions.hint(row?.id ?? "")
    advance(10 * SECOND)
    await watch()
    expect(await openProblems(store)).toEqual([])
  })
}

/** When the service got the request after so many. */
async function readAt(store: TestStore, before: number): Promise<number | undefined> {
  return store.simulator.requests({ on: "get" })[before]?.at
}

async function silence({ module }: TestStore) {
  return (await module.listSilences())[0]
}

async function openProblems(store: TestStore): Promise<string[]> {
  const problems = await store.module.listProblems({ closed_at: null })
  return problems.map(({ kind }) => kind)
}

/** Nothing is believed, and Medusa could go on with this session at any time. */
async function expectStillPending(store: TestStore, payment: OpenPayment): Promise<void> {
  const payments = store.container.resolve(Modules.PAYMENT)
  expect((await payments.retrievePaymentSession(payment.sessionId)).status).toBe("pending")
  expect(await store.module.findBySession(payment.sessionId)).toMatchObject({ state: "pending" })
  expect(await ordersOf(store, payment.cartId)).toEqual([])
}

async function advanceToNextWatch(
  store: TestStore,
  { sessionId }: OpenPayment,
  advance: Passes["advance"]
): Promise<void> {
  advanceTo(store, (await store.module.findBySession(sessionId))?.watch_at, advance)
}

/** A little further: the database counts in smaller parts of a second. */
function advanceTo(
  store: TestStore,
  moment: Date | null | undefined,
  advance: Passes["advance"]
): void {
  advance(Math.max((moment?.getTime() ?? 0) - store.simulator.now(), 0) + 2)
}

/** Passes one after another, as often as the watcher plans them, for at most an hour and a half. */
async function passUntilSettled(
  store: TestStore,
  payment: OpenPayment,
  { watch, advance }: Pick<Passes, "watch" | "advance">
): Promise<void> {
  for (let pass = 0; pass < 20; pass++) {
    await advanceToNextWatch(store, payment, advance)
    await watch()
    if ((await store.module.findBySession(payment.sessionId))?.settled_at) return
    advanceTo(store, (await silence(store))?.paused_until, advance)
  }
  throw new Error(`Session ${payment.sessionId} was not settled in 20 passes`)
}

/** Transactions that are due now, each later than the one before; with ids that the service knows unless told. */
async function addDueRows(
  store: TestStore,
  count: number,
  idOf: () => string = () => store.simulator.addTransaction({ amount: 1000 }).id
): Promise<TransactionRow[]> {
  const now = store.module.clock.now().getTime()
  const rows = await addRows(
    store,
    Array.from({ length: count }, (_, index) => ({
      transaction_id: idOf(),
      watch_at: new Date(now - (count - index)),
    }))
  )
  for (const { transaction_id: id, id: payload } of rows) {
    if (id && store.simulator.transactions().some((known) => known.id === id)) {
      store.simulator.edit(id, { payload })
    }
  }
  return rows
}
