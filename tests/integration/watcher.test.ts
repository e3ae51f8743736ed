import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import type { LabelledPoint } from "../../src/database/labelled-points"
import { queueOf } from "../../src/payments/queue"
import { correctOrderTotals } from "../../src/medusa/core"
import { adminOf } from "./admin"
import { atLabelledPoints } from "./at-labelled-points"
import { stopWatcher, withoutWatcher } from "./passes"
import { expectPaidOrder, ordersOf, payUntilSettled, Shopper } from "./shopper"
import { halfMadeOrders } from "./watcher/half-made-orders"
import { placesOfTheQueue } from "./watcher/places"
import { statementsOfTheWatcher } from "./watcher/statements"
import { workThatHangs } from "./watcher/hanging"
import { settleDue } from "./settle-due"
import { describeStore, eventually, settledRow } from "./store"

describeStore("the watcher", {}, (store) => {
  const shopper = new Shopper(store)
  const admin = adminOf(store)

  it("places the order with every callback lost, nobody polling and nobody coming back", async () => {
    const payment = await shopper.checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    const row = await settledRow(store, payment.sessionId)
    expect(await ordersOf(store, payment.cartId)).toEqual([row.order_id])
  })

  it("shows administrators when it last looked, and nobody else", async () => {
    const address = "/admin/payment-service/watcher"
    expect((await store.http.get(address)).status).toBe(401)
    const shown = async () => (await admin.get(address)).data
    await withoutWatcher(store, async () => {
      expect(await shown()).toMatchObject({ waiting_since: null, silences: [] })
    })
    const before = await shown()
    await eventually("another look", async () => {
      return String((await shown()).looked_at) > String(before.looked_at)
    })
  })

  it("shows administrators since when something waits that nobody takes up", async () => {
    const payment = await shopper.checkout()
    const { watching } = store.module
    const due = new Date(Date.now() - 60_000)
    // As where no watcher runs.
    const claim = jest.spyOn(store.module.dueTransactions, "claimDue").mockResolvedValue(null)
    try {
      const row = await store.module.findBySession(payment.sessionId)
      await store.module.updateTransactions({ id: row?.id ?? "", watch_at: due })
      const configured = (await store.module.accounts()).merchantAccounts()
      expect((await watching.findDueWork(configured)).transactions).toEqual(due)
      const { data } = await admin.get("/admin/payment-service/watcher")
      expect(data).toMatchObject({ waiting_since: due.toISOString() })
    } finally {
      claim.mockRestore()
    }
  })

  it("reads each open transaction once, those first that have been due longest", async () => {
    // The store's own watcher waits meanwhile.
    await stopWatcher(store)
    const rows: { id: string; watch_at: Date }[] = []
    const now = Date.now()
    for (let payment = 0; payment < 3; payment++) {
      const { sessionId } = await shopper.checkout()
      const row = await store.module.findBySession(sessionId)
      rows.unshift({ id: row?.id ?? "", watch_at: new Date(now - 1_000 - payment) })
    }
    await store.module.updateTransactions(rows)
    store.simulator.clearRequests()
    await settleDue(store)
    const { transactions } = store.module
    const paths = rows.map(async ({ id }) => (await transactions.get(id)).transaction_id)
    expect(store.simulator.requests({ on: "get" }).map(({ path }) => path)).toEqual(
      (await Promise.all(paths)).map((id) => `/transaction/${id ?? ""}`)
    )
  })

  it("tells admins since when the service is silent, and settles after it is back (promise 10)", async () => {
    const payments = [await shopper.checkout(), await shopper.checkout()]
    for (const { data } of payments) {
      await store.simulator.pay(data.transaction_id, { callback: false })
    }
    store.simulator.fault({ on: "get", kind: "status", status: 503, times: Infinity })
    const { simulator } = store
    await eventually("the silence is seen", async () => {
      const { data } = await admin.get("/admin/payment-service/watcher")
      return (data as { silences: unknown[] }).silences[0]
    })
    simulator.clearFaults()
    for (const { sessionId } of payments) await settledRow(store, sessionId)
    const { data } = await admin.get("/admin/payment-service/watcher")
    expect(data).toMatchObject({ silences: [] })
  })

  it("is not made to look by polls at what it watches no more", async () => {
    const payment = await shopper.checkout()
    const row = await store.module.findBySession(payment.sessionId)
    const poll = async () => {
      await store.module.updateTransactions({ id: row?.id ?? "", claimed_until: null })
      await shopper.poll(payment.sessionId)
    }
    await stopWatcher(store)
    store.simulator.clearRequests()
    await poll()
    await eventually("a read", () => Promise.resolve(store.simulator.requests().length === 1))
    await queueOf(store.module).idle()
    await store.module.updateTransactions({ id: row?.id ?? "", watch_at: null })
    // A read comes after the answer, but it is asked for in the same breath as that.
    const claim = jest.spyOn(store.module.dueTransactions, "claim")
    try {
      for (let times = 0; times < 3; times++) await poll()
      expect(claim).not.toHaveBeenCalled()
      expect(store.simulator.requests()).toHaveLength(1)
    } finally {
      claim.mockRestore()
    }
  })

  it.each([
    ["", false],
    [", and dies again while it is being paid", true],
  ])("pays the order that a completion left when its process died%s", async (_, diesAgain) => {
    const payment = await shopper.checkout()
    const { id, order_id } = await payUntilSettled(store, payment)
    const sql = store.container.resolve<Sql>(ContainerRegistrationKeys.PG_CONNECTION)
    const collection = payment.collectionId
    const orders = store.container.resolve(Modules.ORDER)
    const booked = await orders.listOrderTransactions({ order_id: [order_id ?? ""] })
    await orders.deleteOrderTransactions(booked.map((transaction) => transaction.id))
    await correctOrderTotals(store.container, order_id ?? "")
    const placed = () => store.events.filter(({ name }) => name === "order.placed").length
    const placedBefore = placed()
    // The state of the database when core was killed between creating the order and authorizing.
    for (const statement of [
      "delete from capture where payment_id in (select id from payment where payment_collection_id = :collection)",
      "delete from payment where payment_collection_id = :collection",
      "update payment_session set status = 'pending', authorized_at = null where payment_collection_id = :collection",
      "update payment_collection set status = 'not_paid', captured_amount = 0, authorized_amount = 0 where id = :collection",
      "update payment_service_transaction set settled_at = null, order_id = null, watch_at = now() where id = :id",
    ]) {
      await sql.raw(statement, { collection, id })
    }
    if (diesAgain) failOnceAt("apply:authorized")
    await settledRow(store, payment.sessionId)
    const order = await expectPaidOrder(store, payment.cartId)
    expect(order.id).toBe(order_id)
    // Core had no time to tell of it.
    await eventually("order.placed", async () => placed() === placedBefore + 1)
  })

  it("does not lose a proof to a store that dies right after it: the row is due at once", async () => {
    const payment = await shopper.checkout()
    await withoutWatcher(store, async () => {
      const row = await store.module.findBySession(payment.sessionId)
      const later = new Date(Date.now() + 3_600_000)
      await store.module.updateTransactions({ id: row?.id ?? "", watch_at: later })
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      // Asking for another way to pay finds the proof and does no more than refuse.
      expect((await shopper.choose(payment.collectionId, "crypto")).status).toBe(400)
      const found = await store.module.findBySession(payment.sessionId)
      expect(found?.paid_at).not.toBeNull()
      expect(found?.watch_at?.getTime()).toBeLessThan(Date.now() + 6_000)
    })
    await settledRow(store, payment.sessionId)
  })

  describe("its statements", () => {
    statementsOfTheWatcher(store)
  })
  describe("work that hangs", () => {
    workThatHangs(store)
  })
  describe("the queue's places", () => {
    placesOfTheQueue(store)
  })

  describe("an order that core made and did not finish", () => {
    halfMadeOrders(store)
  })
})

interface Sql {
  raw(statement: string, values: Record<string, unknown>): Promise<unknown>
}

/** Lets the first one that comes to this point fail there. */
function failOnceAt(point: LabelledPoint): void {
  const takeAway = atLabelledPoints((reached) => {
    if (reached !== point) return
    takeAway()
    throw new Error(`Nothing goes on at "${point}"`)
  })
}
