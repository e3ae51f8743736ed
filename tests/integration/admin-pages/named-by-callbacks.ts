import { randomUUID } from "node:crypto"

import forgetOld from "../../../src/jobs/forget-old"
import { MOST_WAITING } from "../../../src/subscriptions/statements/lookups"
import { addRows } from "../add-rows"
import { atLabelledPoints } from "../at-labelled-points"
import type { Passes } from "../passes"
import { payUntilSettled, Shopper } from "../shopper"
import { eventually, type TestStore } from "../store"

const SECOND = 1_000
const DAY = 86_400_000

/** The id of one that the simulator has from the start. */
export const SEEDED = (number: number) => `7d9e0c4a-51b2-4f0e-8a3d-00000000000${number}`

/** Node ends a pause up to so much early. */
const EARLY_MS = 2

/**
 * Follows when ids are taken up to be asked for, until the test ends. A call follows at once, and arrives at the service when the
 * machine has time for it.
 */
function followCalls({ module: { subscriptionLookups } }: TestStore): {
  gaps: () => number[]
} {
  const claimDue = subscriptionLookups.claimDue.bind(subscriptionLookups)
  const times: number[] = []
  const spy = jest.spyOn(subscriptionLookups, "claimDue").mockImplementation(async (accounts) => {
    const lookup = await claimDue(accounts)
    if (lookup && !lookup.is_transaction) times.push(performance.now())
    return lookup
  })
  return {
    gaps: () => {
      spy.mockRestore()
      return times.slice(1).map((at, index) => at - (times[index] ?? 0) + EARLY_MS)
    },
  }
}

/** The store wants to know what callbacks name. */
export function namedByCallbacks(
  store: TestStore,
  passesNow: () => Passes,
  asked: () => string[]
): void {
  const told = () =>
    store.events.filter(({ name }) => name === "payment_service.subscription_updated")
  const call = async (body: unknown, times = 1) => store.simulator.sendRawCallback(body, { times })
  /** Asks for what is due after so many seconds. */
  const after = async (seconds: number) => {
    passesNow().advance(seconds * SECOND)
    await passesNow().runJob()
  }

  it("an unknown one once, a known one at each callback, coalesced (promise 14)", async () => {
    expect(await store.simulator.sendSubscriptionCallback(SEEDED(1))).toEqual([200])
    await call({ subscriptionId: SEEDED(1) }, 3)
    await after(4)
    expect(asked()).toEqual([`/subscription/${SEEDED(1)}`])
    await eventually("it is told", () => Promise.resolve(told().length === 1))
    expect(told()[0]?.data).toEqual({
      id: expect.stringMatching(/^psevt_/),
      subscription_id: SEEDED(1),
      merchant_id: store.simulator.merchantId,
      asked_at: expect.any(String),
      subscription: expect.objectContaining({
        id: SEEDED(1),
        status: "Active",
        amount: "990",
        customer_email: "payer1@example.com",
        charge_metrics: expect.objectContaining({ charges_success: 5 }),
      }),
    })
    await after(120)
    expect(asked()).toHaveLength(1)

    store.simulator.editSubscription(SEEDED(1), { status: "Paused" })
    await call([{ id: SEEDED(1) }], 5)
    await after(0)
    expect(asked()).toHaveLength(2)
    await eventually("it is told again", () => Promise.resolve(told().length === 2))
    expect(told()[1]?.data).toMatchObject({ subscription: { status: "Paused" } })
    expect(told()[1]?.data.id).not.toBe(told()[0]?.data.id)
  })

  it("a known one that was named again while the service did not find it (promise 14)", async () => {
    await call({ id: SEEDED(1) })
    await after(4)
    expect(asked()).toHaveLength(1)
    const { subscriptionLookups: lookups } = store.module
    const record = lookups.recordUnknown.bind(lookups)
    jest.spyOn(lookups, "recordUnknown").mockImplementationOnce(async (lookup) => {
      await call({ id: SEEDED(1) })
      await record(lookup)
    })
    store.simulator.fault({ on: "subscriptions", kind: "status", status: 404 })
    passesNow().advance(SECOND)
    await call({ id: SEEDED(1) })
    await after(0)
    await after(2)
    expect(asked()).toHaveLength(3)
    await eventually("both answers are told", () => Promise.resolve(told().length === 2))
  })

  it("nothing of what is no subscription, for a day", async () => {
    const id = randomUUID()
    for (let times = 0; times < 3; times++) {
      await call({ id })
      await after(10)
    }
    expect(asked()).toEqual([`/subscription/${id}`])
    expect(told()).toEqual([])
    passesNow().advance(DAY + 1)
    await forgetOld(store.container)
    await call({ id })
    await after(4)
    expect(asked()).toHaveLength(2)
  })

  it("neither a transaction of ours, nor one whose creation is being answered, nor the merchant", async () => {
    const [known, early] = [randomUUID(), randomUUID()]
    const rowWith = (id: string) => ({ transaction_id: id, transaction_key: id, watch_at: null })
    await addRows(store, [rowWith(known)])
    await call({ id: known, merchantId: store.simulator.merchantId, other: early })
    await addRows(store, [rowWith(early)])
    await after(4)
    expect(asked()).toEqual([])
    expect(await store.module.listSubscriptionLookups({})).toMatchObject([{ due_at: null }])
  })

  it("one a second, on all instances together (promise 12)", async () => {
    await call([1, 2, 3].map(SEEDED))
    passesNow().advance(4 * SECOND)
    const calls = followCalls(store)
    await Promise.all([1, 2, 3].map(() => passesNow().runJob()))
    await passesNow().runJob()
    expect(asked()).toHaveLength(3)
    expect(calls.gaps()).toHaveLength(2)
    for (const gap of calls.gaps()) expect(gap).toBeGreaterThanOrEqual(SECOND - EARLY_MS)
  })

  it("one at a time in a process, however slow the service is, and payments do not wait for it (promise 25)", async () => {
    const slow = { on: "subscriptions", kind: "slow", delayMs: 4 * SECOND, times: 2 } as const
    store.simulator.fault(slow)
    await call([1, 2].map(SEEDED))
    passesNow().advance(4 * SECOND)
    const calls = followCalls(store)
    let goOn: () => void = () => undefined
    const released = new Promise<void>((resolve) => (goOn = resolve))
    const letGo = atLabelledPoints(async (point) => {
      if (point === "subscription:answered") await released
    })
    const pass = passesNow().runJob()
    try {
      await eventually("the first is asked for", () => Promise.resolve(asked().length === 1))
      const payment = await new Shopper(store).checkout()
      await payUntilSettled(store, payment)
      // The first is not over yet.
      expect(asked()).toHaveLength(1)
    } finally {
      goOn()
      await pass
      letGo()
    }
    expect(asked()).toEqual([1, 2].map((number) => `/subscription/${SEEDED(number)}`))
    expect(calls.gaps()).toHaveLength(1)
    for (const gap of calls.gaps()) expect(gap).toBeGreaterThanOrEqual(slow.delayMs - EARLY_MS)
  })

  it("known ones first, however many ids somebody invents (promise 12)", async () => {
    await call({ id: SEEDED(1) })
    await after(4)
    await Promise.all(
      Array.from({ length: MOST_WAITING / 10 + 30 }, async () => {
        const ids = Array.from({ length: 10 }, () => randomUUID())
        await store.module.callbacks.keep(ids, ids)
      })
    )
    const waiting = await store.module.listSubscriptionLookups({}, { select: ["id"], take: null })
    expect(waiting.length).toBeGreaterThanOrEqual(MOST_WAITING)
    expect(waiting.length).toBeLessThanOrEqual(MOST_WAITING + 101)
    passesNow().advance(10 * SECOND)
    await call({ id: SEEDED(1) })
    const accounts = await store.module.accounts()
    expect((await store.module.subscriptionLookups.claimDue(accounts))?.id).toBe(SEEDED(1))
  })

  it("what the service did not answer, a minute later, and nothing else for some seconds", async () => {
    await call([1, 2].map(SEEDED))
    store.simulator.fault({ on: "subscriptions", kind: "status", status: 503 })
    const calls = followCalls(store)
    await after(4)
    expect(asked()).toHaveLength(2)
    for (const gap of calls.gaps()) expect(gap).toBeGreaterThanOrEqual(4 * SECOND)
    await after(61)
    expect(asked()).toHaveLength(3)
    await eventually("both are told", () => Promise.resolve(told().length === 2))
  })
}
