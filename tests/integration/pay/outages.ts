import type { Fault } from "../../../simulator"
import { Queue } from "../../../src/payments/queue"
import { TIMEOUTS } from "../../../src/service/client"
import { adminOf } from "../admin"
import { stopWatcher, withoutWatcher } from "../passes"
import { act, openProblem } from "../problems-of"
import {
  expectPaidOrder,
  type OpenPayment,
  ordersOf,
  paidUnheard,
  payToOrder,
  rowOf,
  rowWhen,
  Shopper,
} from "../shopper"
import { eventually, settledRow, type TestStore } from "../store"
import { setUntilTheTestEnds } from "../until-the-test-ends"
import { paymentsNotOpened } from "./payments-not-opened"

const NOT_ANSWERING = /does not answer at the moment/
const NOT_AVAILABLE = /is not available at the moment/

const breakages: [string, Omit<Fault, "on" | "times">][] = [
  ["answers 503", { kind: "status", status: 503, retryAfterSeconds: 5 }],
  ["answers 401", { kind: "status", status: 401 }],
  ["answers half a JSON", { kind: "truncate" }],
  ["loses its answer", { kind: "drop_after" }],
]

export function whileTheServiceIsOutOfOrder(store: TestStore): void {
  const shopper = new Shopper(store)

  it.each(breakages)(
    "%s: nothing is opened twice, and nothing that was paid is lost (promise 10)",
    async (_, fault) => {
      const cart = await shopper.cart()
      const collection = await shopper.collection(cart.id)
      store.simulator.fault({ ...fault, on: "create", times: Infinity })
      const refused = await shopper.choose(collection, "sbp")
      expect(refused.status).toBe(500)
      const sentence = fault.status === 401 ? NOT_AVAILABLE : NOT_ANSWERING
      expect(refused.data).toMatchObject({ message: expect.stringMatching(sentence) })
      await expectFailedCreation(store, cart.id, fault.status === 401)

      store.simulator.clearFaults()
      const { data, sessionId } = await shopper.open(cart.id, "sbp")
      await store.simulator.pay(data.transaction_id, { callback: false })
      store.simulator.fault({ ...fault, on: "get", times: Infinity })
      const began = Date.now()
      const [completed, statuses, back, poll] = await Promise.all([
        shopper.complete(cart.id),
        store.simulator.sendCallback(data.transaction_id),
        shopper.comeBack(sessionId),
        shopper.poll(sessionId),
      ])
      expect(Date.now() - began).toBeLessThan(15_000)
      expect(completed.status).toBe(500)
      expect(completed.data).toMatchObject({ message: expect.stringMatching(sentence) })
      expect(statuses).toEqual([200])
      const { id } = (await store.module.findBySession(sessionId))!
      expect(back).toEqual({
        status: 302,
        location: `http://shop.test/wait?return=${id}&state=pending`,
      })
      expect(poll).toMatchObject({ status: 200, data: { session: { state: "pending" } } })
      expect(await ordersOf(store, cart.id)).toEqual([])

      store.simulator.clearFaults()
      // Nobody rings again and nobody comes back: the inbox remembers.
      await settledRow(store, sessionId)
      await expectPaidOrder(store, cart.id)
    }
  )

  it("lets a cart be changed while the service is down, and does not forget its money (promise 27)", async () => {
    const { cartId, sessionId, data } = await shopper.checkout()
    await store.simulator.pay(data.transaction_id, { callback: false })
    store.simulator.fault({ on: "get", kind: "status", status: 503, times: Infinity })
    expect((await shopper.addItem(cartId)).status).toBe(200)
    const row = await store.module.findBySession(sessionId)
    expect(row).toMatchObject({ state: "pending", session_id: sessionId })

    store.simulator.clearFaults()
    await store.simulator.sendCallback(data.transaction_id)
    await rowWhen(store, { sessionId }, (found) => found.exception === "session_gone")
    expect(await ordersOf(store, cartId)).toEqual([])
    const again = await shopper.choose(await shopper.collection(cartId), "sbp")
    expect(again.status).toBe(400)
  })

  it("keeps nobody waiting much longer than one call may take when the service hangs (promise 10)", () =>
    withoutWatcher(store, async () => {
      const paid: OpenPayment[] = []
      while (paid.length < 6) paid.push(await paidUnheard(store, shopper))
      const [completing, called, returning, editing, rechoosing, changing] = paid as [
        ...[OpenPayment, OpenPayment, OpenPayment],
        ...[OpenPayment, OpenPayment, OpenPayment],
      ]
      const fresh = await shopper.cart()
      const collection = await shopper.collection(fresh.id)
      store.simulator.fault({ on: "any", kind: "hang", times: Infinity })
      const timed = async <T>(request: Promise<T>) => {
        const began = Date.now()
        const answer = await request
        return { answer, ms: Date.now() - began }
      }
      const askForAll = () =>
        Promise.all([
          timed(shopper.complete(completing.cartId)),
          timed(store.simulator.sendCallback(called.data.transaction_id)),
          timed(shopper.comeBack(returning.sessionId)),
          timed(shopper.addItem(editing.cartId)),
          timed(shopper.choose(rechoosing.collectionId, "sbp")),
          timed(shopper.choose(changing.collectionId, "crypto")),
          timed(shopper.choose(collection, "crypto")),
        ])
      const [completed, rung, back, edited, again, changed, opened] = await askForAll()
      expect(completed.answer.status).toBe(500)
      expect(rung.answer).toEqual([200])
      expect(back.answer.location).toContain("/wait?")
      expect(edited.answer.status).toBe(200)
      expect(opened.answer.status).toBe(500)
      expect(opened.answer.data).toMatchObject({ message: expect.stringMatching(NOT_ANSWERING) })

      store.simulator.clearFaults()
      // A busy machine takes long for the store's own work, too.
      const usualMs = Math.max(...(await askForAll()).map(({ ms }) => ms))
      const twoCallsMs = TIMEOUTS.readMs + TIMEOUTS.createMs
      const waits = { completed, rung, back, edited, again, changed, opened }
      const tooLong = Object.entries(waits).filter(([, { ms }]) => ms >= twoCallsMs + usualMs)
      expect(tooLong.map(([name, { ms }]) => [name, ms])).toEqual([])
      // It is answered before the service is asked.
      expect(rung.ms).toBeLessThan(TIMEOUTS.createMs + usualMs)

      expect((await shopper.complete(completing.cartId)).status).toBe(200)
      expect((await shopper.land(returning.sessionId)).location).toContain("/ru/done?")
      await eventually("polling leads to the order", async () => {
        const answer = await shopper.poll(called.sessionId)
        return (answer.data as { session: { order_id: string | null } }).session.order_id
      })
      for (const { cartId, sessionId } of [completing, called, returning]) {
        await settledRow(store, sessionId)
        await expectPaidOrder(store, cartId)
      }
      await payToOrder(store, await shopper.open(fresh.id, "crypto"))
    }))

  it("tells an admin that another instance reads in vain what they look at again (promise 25)", async () => {
    const payment = await shopper.checkout()
    const { transaction_id: id } = payment.data
    store.simulator.edit(id, { amount: 1 })
    await store.simulator.pay(id)
    const problem = await openProblem(store, payment)
    setUntilTheTestEnds(TIMEOUTS, { readMs: 1_000 })
    await stopWatcher(store)
    const elsewhere = new Queue(store.module)
    store.simulator.fault({ on: "get", kind: "hang", times: Infinity })
    const failure = elsewhere.settle(await rowOf(store, payment)).catch((error: unknown) => error)
    await rowWhen(store, payment, ({ claimed_until }) => {
      return Number(claimed_until) > store.module.clock.now().getTime()
    })
    expect(await act(adminOf(store), problem, "retry")).toMatchObject({
      status: 500,
      data: { message: expect.stringContaining("could not be asked") },
    })
    expect(await failure).toBeInstanceOf(Error)
    await elsewhere.idle()
  })

  describe("that opens no payment", () => {
    paymentsNotOpened(store)
  })
}

/** The one attempt is in our books and in the log; it was not made again by itself. */
async function expectFailedCreation(store: TestStore, cartId: string, isRefused: boolean) {
  expect(store.simulator.requests({ on: "create" })).toHaveLength(1)
  const rows = await store.module.listTransactions({ cart_id: cartId })
  expect(rows).toMatchObject([
    { state: isRefused ? "refused" : "unknown", transaction_id: null, account: "main" },
  ])
  const errors = store.log.filter((line) => line.startsWith("error:"))
  expect(errors.join()).toContain(rows[0]?.id)
}
