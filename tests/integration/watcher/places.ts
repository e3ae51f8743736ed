import { setTimeout as sleep } from "node:timers/promises"

import { Modules } from "@medusajs/framework/utils"

import { Queue, queueOf } from "../../../src/payments/queue"
import { readPlaces } from "../../../src/payments/read-places"
import { PATIENCE_MS } from "../../patience"
import { addRows } from "../add-rows"
import { atLabelledPoints } from "../at-labelled-points"
import { payUntilSettled, Shopper } from "../shopper"
import { eventually, type TestStore } from "../store"

const SECOND = 1_000
/** Long enough for one more to come, if it were let in. */
const A_MOMENT_MS = SECOND

/** The queue's places, taken by work that stands still until `goOn`. */
export function placesOfTheQueue(store: TestStore): void {
  const { longestInPlaceMs, longestChangeMs } = Queue
  const { longestMs } = readPlaces
  let goOn = () => {}
  let released: Promise<void>
  let standing = 0
  let wentOn = 0
  beforeEach(() => {
    standing = 0
    wentOn = 0
    released = new Promise((resolve) => (goOn = resolve))
  })
  afterEach(async () => {
    goOn()
    Object.assign(Queue, { longestInPlaceMs, longestChangeMs })
    readPlaces.longestMs = longestMs
    jest.restoreAllMocks()
    await queueOf(store.module).idle()
  })

  async function stand(): Promise<void> {
    standing++
    await released
    standing--
    wentOn++
  }
  const soMany = (count: number) =>
    eventually(`${count} stand still`, () => Promise.resolve(standing === count))

  /** Payments that are over. The service calls, and Medusa stands still when their session is looked for. */
  async function standInMedusa(count: number): Promise<void> {
    const rows = await addRows(
      store,
      Array.from({ length: count }, () => ({
        transaction_id: store.simulator.addTransaction({ amount: 1000, status: "CANCELED" }).id,
      }))
    )
    const ours = new Set(rows.map((row) => row.payment_collection_id))
    const payments = store.container.resolve(Modules.PAYMENT)
    const list = payments.listPaymentSessions.bind(payments)
    jest.spyOn(payments, "listPaymentSessions").mockImplementation(async (filters, ...how) => {
      if (ours.has(String(filters?.payment_collection_id))) await stand()
      return await list(filters, ...how)
    })
    for (const row of rows) await store.simulator.sendCallback(row.transaction_id ?? "")
  }

  it("are given up after two seconds, and left behind after three minutes (promise 25)", () => {
    expect([longestInPlaceMs, longestChangeMs]).toEqual([2 * SECOND, 180 * SECOND])
  })

  it("Medusa changes four payments at a time (promise 25)", async () => {
    Queue.longestInPlaceMs = PATIENCE_MS
    await standInMedusa(8)
    await soMany(4)
    await sleep(A_MOMENT_MS)
    expect(standing).toBe(4)
    goOn()
    await eventually("the others follow", () => Promise.resolve(wentOn === 8))
  })

  it("a change that takes longer gives up its place to the next, and so do 20 at most (promise 25)", async () => {
    Queue.longestInPlaceMs = 50
    await standInMedusa(26)
    await soMany(24)
    await sleep(A_MOMENT_MS)
    expect(standing).toBe(24)
    goOn()
    await eventually("the others follow", () => Promise.resolve(wentOn === 26))
  })

  it("a change that never ends is left behind, and its place is free (promise 25)", async () => {
    Object.assign(Queue, { longestInPlaceMs: 50, longestChangeMs: 3 * SECOND })
    await standInMedusa(24)
    await soMany(24)
    const other = await new Shopper(store).checkout()
    await payUntilSettled(store, other)
    // They stand still, and nobody tries the same again beside them.
    expect(standing).toBe(24)
  })

  it("a read that never ends gives back its place, and its payment is read anew (promise 25)", async () => {
    readPlaces.longestMs = 3 * SECOND
    const others = await addRows(
      store,
      Array.from({ length: 8 }, () => ({
        transaction_id: store.simulator.addTransaction({ amount: 1000 }).id,
      }))
    )
    const paid = await new Shopper(store).checkout()
    const takeAway = atLabelledPoints(async (point) => {
      if (point === "read:answered" && standing < others.length) await stand()
    })
    try {
      for (const row of others) await store.simulator.sendCallback(row.transaction_id ?? "")
      await soMany(8)
      await payUntilSettled(store, paid)
      expect(standing).toBe(8)
      const [again] = others
      await store.simulator.pay(again?.transaction_id ?? "")
      await eventually("the payment read anew", async () => {
        await store.simulator.sendCallback(again?.transaction_id ?? "")
        return (await store.module.retrieveTransaction(again?.id ?? "")).paid_at
      })
    } finally {
      takeAway()
    }
  })
}
