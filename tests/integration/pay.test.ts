import { Modules } from "@medusajs/framework/utils"
import { createTaxRatesWorkflow } from "@medusajs/medusa/core-flows"

import { logIn } from "./admin"
import { addProduct } from "./assortment"
import { takeOverPasses, withoutWatcher } from "./passes"
import { provingPayments } from "./pay/proof"
import { askingTheProvider } from "./pay/provider"
import { expectPaidOrder, findOrder, type OpenPayment, ordersOf, Shopper } from "./shopper"
import { describeStore, eventually, settledRow, type TestStore } from "./store"

const MINUTE = 60_000

describeStore("paying for a cart", {}, (store) => {
  for (const method of ["sbp", "crypto"] as const) {
    it(`pays by ${method} to a captured order with nothing outstanding`, async () => {
      const shopper = new Shopper(store)
      const payment = await shopper.checkout(method)
      await store.simulator.pay(payment.data.transaction_id)
      const row = await settledRow(store, payment.sessionId)

      const order = await findOrder(store, row.order_id ?? "")
      expect(Number(order.summary.pending_difference)).toBe(0)
      expect(order.payment_collections[0]?.status).toBe("completed")
      expect(order.payment_collections[0]?.payments).toHaveLength(1)
      expect(order.payment_collections[0]?.payments[0]?.captures).toHaveLength(1)
      expect(order.transactions).toHaveLength(1)
      expect(await ordersOf(store, payment.cartId)).toEqual([order.id])
      const poll = await shopper.poll(payment.sessionId)
      expect(poll.data).toMatchObject({ session: { state: "paid", order_id: order.id } })
    })
  }

  it("tells the merchant's own code once, whoever found the payment", async () => {
    const shopper = new Shopper(store)
    const ways: ((payment: OpenPayment) => Promise<unknown>)[] = [
      ({ data }) => store.simulator.sendCallback(data.transaction_id),
      ({ cartId }) => shopper.complete(cartId),
      ({ sessionId }) => shopper.comeBack(sessionId),
      ({ sessionId }) => shopper.poll(sessionId),
    ]
    for (const way of ways) {
      const payment = await shopper.checkout()
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      await way(payment)
      await settledRow(store, payment.sessionId)
      const toldOf = () =>
        store.events.filter(
          ({ name, data }) =>
            name === "payment_service.transaction_settled" && data.session_id === payment.sessionId
        )
      await eventually("the event", async () => toldOf().length)
      const [orderId] = await ordersOf(store, payment.cartId)
      expect(toldOf()).toMatchObject([
        {
          data: {
            id: expect.stringMatching(/^psevt_/),
            old_state: "pending",
            new_state: "paid",
            late: false,
            transaction_id: payment.data.transaction_id,
            cart_id: payment.cartId,
            order_id: orderId,
            amount: "2290.00",
            currency: "RUB",
          },
        },
      ])
    }
    await eventually("core's event, too", async () => {
      return store.events.filter(({ name }) => name === "payment.captured").length === ways.length
    })
  })

  it("has the order by the callback alone", async () => {
    const payment = await new Shopper(store).checkout()
    await withoutWatcher(store, async () => {
      await store.simulator.pay(payment.data.transaction_id)
      await eventually("the order is there", () =>
        ordersOf(store, payment.cartId).then(([id]) => id)
      )
    })
  })

  it("closes a declined session and lets the shopper pay the same cart with the other method", async () => {
    const shopper = new Shopper(store)
    const declined = await shopper.checkout("sbp")
    await store.simulator.decline(declined.data.transaction_id)
    await eventually("the session is canceled", async () => {
      const cart = await shopper.retrieve(declined.cartId)
      return cart.payment_collection?.payment_sessions?.[0]?.status === "canceled"
    })
    const cart = await shopper.retrieve(declined.cartId)
    expect(cart.completed_at).toBeNull()

    const again = await shopper.open(declined.cartId, "crypto")
    expect(again.data.transaction_id).not.toBe(declined.data.transaction_id)
    await store.simulator.pay(again.data.transaction_id)
    const row = await settledRow(store, again.sessionId)
    expect(Number((await findOrder(store, row.order_id ?? "")).summary.pending_difference)).toBe(0)
  })

  it("closes a session that the service let expire, and the cart can be paid again", async () => {
    const shopper = new Shopper(store)
    const expired = await shopper.checkout("sbp")
    await store.simulator.expire(expired.data.transaction_id)
    await eventually("the session is canceled", () => isCanceled(shopper, expired.cartId))
    const poll = await shopper.poll(expired.sessionId)
    expect(poll.data).toMatchObject({ session: { state: "expired", order_id: null } })

    const again = await shopper.open(expired.cartId, "sbp")
    expect(again.data.transaction_id).not.toBe(expired.data.transaction_id)
    await store.simulator.pay(again.data.transaction_id)
    await settledRow(store, again.sessionId)
    await expectPaidOrder(store, again.cartId)
  })

  it("counts a pending transaction as expired two minutes after its time, but still takes its money", async () => {
    const shopper = new Shopper(store)
    const { cartId, sessionId, data } = await shopper.checkout("sbp")
    const row = await store.module.findBySession(sessionId)
    // Its answers say that no time is left, and PENDING all the same.
    store.simulator.configure({ autoExpire: false })
    store.simulator.edit(data.transaction_id, { expiresAt: 0 })
    const minutesAgo = async (minutes: number) => {
      const expires_at = new Date(Date.now() - minutes * 60_000)
      await store.module.updateTransactions({ id: row?.id ?? "", expires_at })
      await store.simulator.sendCallback(data.transaction_id)
    }

    await minutesAgo(1.5)
    await eventually("the first callback is handled", async () => {
      const read = await store.module.findBySession(sessionId)
      return read?.read_at
    })
    expect((await shopper.poll(sessionId)).data).toMatchObject({ session: { state: "pending" } })

    await minutesAgo(2.1)
    await eventually("the session is canceled", () => isCanceled(shopper, cartId))
    expect((await shopper.poll(sessionId)).data).toMatchObject({ session: { state: "expired" } })
    expect(store.simulator.transaction(data.transaction_id).status).toBe("PENDING")
    store.simulator.configure({ autoExpire: true })

    await store.simulator.pay(data.transaction_id)
    await settledRow(store, sessionId)
    await expectPaidOrder(store, cartId)
  })

  it("keeps a cart payable when the shopper completes it before paying", async () => {
    const shopper = new Shopper(store)
    const { cartId, sessionId, data } = await shopper.checkout("sbp")
    for (let times = 0; times < 2; times++) {
      const early = await shopper.complete(cartId)
      expect(early.status).toBe(400)
      expect(early.data).toMatchObject({ message: expect.stringContaining("not confirmed yet") })
    }
    const cart = await shopper.retrieve(cartId)
    expect(cart.completed_at).toBeNull()
    expect(cart.payment_collection?.payment_sessions).toMatchObject([
      { id: sessionId, status: "pending" },
    ])
    expect(await ordersOf(store, cartId)).toEqual([])

    await store.simulator.pay(data.transaction_id)
    await settledRow(store, sessionId)
    await expectPaidOrder(store, cartId)
  })

  it("captures and tells the store when the shopper's own completion places the order", async () => {
    const shopper = new Shopper(store)
    const { cartId, sessionId, data } = await shopper.checkout("crypto")
    await store.simulator.pay(data.transaction_id, { callback: false })
    await withoutWatcher(store, async () => {
      const completed = await shopper.complete(cartId)
      expect(completed.status).toBe(200)
      expect(completed.data).toMatchObject({ type: "order" })

      const row = await settledRow(store, sessionId)
      const order = await expectPaidOrder(store, cartId)
      expect(row).toMatchObject({ state: "paid", exception: null, order_id: order.id })
      await eventually("payment.captured", async () => capturedEvents(store).length)
      expect(capturedEvents(store)).toEqual([order.payment_collections[0]?.payments[0]?.id])
    })
    const callbacks = store.simulator.callbacks()
    expect(callbacks.filter(({ transactionId }) => transactionId === data.transaction_id)).toEqual(
      []
    )
  })

  it("asks for whole kopecks when Medusa's total is not, and leaves nothing outstanding", async () => {
    const [region] = await store.container
      .resolve(Modules.TAX)
      .listTaxRegions({ country_code: "ru" })
    await createTaxRatesWorkflow(store.container).run({
      input: [
        { tax_region_id: region?.id ?? "", name: "НДС", code: "vat", rate: 20, is_default: true },
      ],
    })
    const variantId = await addProduct(store, [{ currency_code: "rub", amount: 999.99 }])
    const shopper = new Shopper(store)
    const cart = await shopper.cart({ variantId, freeShipping: true })
    expect(cart.total).toBe(1199.988)

    const { data, sessionId } = await shopper.open(cart.id, "sbp")
    expect(data.amount).toBe("1199.99")
    expect(store.simulator.transaction(data.transaction_id).amount).toBe(1199.99)
    await store.simulator.pay(data.transaction_id)
    const row = await settledRow(store, sessionId)
    expect(row).toMatchObject({ amount: "1199.99", exception: null })
    await expectPaidOrder(store, cart.id)
  })

  it("settles what an order edit left outstanding on the order itself", async () => {
    const shopper = new Shopper(store)
    const order = await buy(store, shopper)
    const admin = await logIn(store)
    await admin.post("/admin/order-edits", { order_id: order.id })
    await admin.post(`/admin/order-edits/${order.id}/items`, {
      items: [{ variant_id: store.shop.variantIds[1], quantity: 2 }],
    })
    expect((await admin.post(`/admin/order-edits/${order.id}/confirm`)).status).toBe(200)

    const edited = await findOrder(store, order.id)
    expect(Number(edited.summary.pending_difference)).toBe(981)
    const collection = edited.payment_collections.find(({ status }) => status === "not_paid")
    const declined = await shopper.openIn(collection?.id ?? "", "", "sbp")
    expect(declined.data.amount).toBe("981.00")
    const { description } = store.simulator.transaction(declined.data.transaction_id)
    expect(description).toMatch(/ × 2$/)
    await store.simulator.decline(declined.data.transaction_id)
    await eventually("the decline is noticed", async () => {
      const row = await store.module.findBySession(declined.sessionId)
      return row?.state === "canceled"
    })

    const payment = await shopper.openIn(collection?.id ?? "", "", "crypto")
    await store.simulator.pay(payment.data.transaction_id)
    const row = await settledRow(store, payment.sessionId)
    expect(row).toMatchObject({ order_id: order.id, exception: null })
    const paid = await findOrder(store, order.id)
    expect(Number(paid.summary.pending_difference)).toBe(0)
    expect(paid.payment_collections.map(({ status }) => status)).toEqual(["completed", "completed"])
    expect(paid.transactions.map(({ amount }) => Number(amount)).sort()).toEqual([2290, 981])
    const back = await shopper.comeBack(payment.sessionId)
    expect(back.location).toMatch(/\/done\?return=pstx_\w+&state=paid$/)
    // A service may send the payer back by a form, whatever is in it.
    expect(await shopper.comeBack(payment.sessionId, "", "status=%ZZ{")).toEqual({
      status: 303,
      location: back.location,
    })
    expect((await shopper.poll(payment.sessionId)).data).toMatchObject({
      session: { state: "paid", order_id: null, order_display_id: expect.any(Number) },
    })
  })

  it("refuses a refund with a sentence and books nothing", async () => {
    const order = await buy(store, new Shopper(store))
    const admin = await logIn(store)
    const paymentId = order.payment_collections[0]?.payments[0]?.id ?? ""
    const refused = await admin.post(`/admin/payments/${paymentId}/refund`, { amount: 100 })
    expect(refused.status).toBe(400)
    expect(refused.data.message).toContain("cannot refund")
    await expectPaidOrder(store, await cartOf(store, order.id))
  })

  it("shows the money as held after an administrator cancels a paid order", async () => {
    const order = await buy(store, new Shopper(store))
    const admin = await logIn(store)
    await admin.post(`/admin/orders/${order.id}/cancel`)
    await eventually("the order shows the money", async () => {
      const { transactions } = await findOrder(store, order.id)
      return transactions.reduce((sum, { amount }) => sum + Number(amount), 0) === 2290
    })
    const canceled = await findOrder(store, order.id)
    expect(canceled.payment_collections[0]?.payments[0]?.captures).toHaveLength(1)
    expect(canceled.payment_collections[0]?.payments[0]?.captured_at).not.toBeNull()
  })

  describe("what counts as paid", () => {
    provingPayments(store)
  })
  describe("the provider", () => {
    askingTheProvider(store)
  })

  it("holds the page open as long as each answer gives time, and orders what is paid then (promise 6)", async () => {
    const passes = await takeOverPasses(store)
    try {
      const shopper = new Shopper(store)
      const { cartId, sessionId, data } = await shopper.checkout("sbp")
      const began = store.module.clock.now().getTime()
      const read = async () => {
        await passes.watch()
        const polled = await shopper.poll(sessionId)
        const { session } = polled.data as { session: Record<string, unknown> }
        const minutes = (Date.parse(String(session.expires_at)) - began) / MINUTE
        return { ...session, minutes: Math.round(minutes) }
      }
      expect(await read()).toMatchObject({ state: "pending", minutes: 15 })
      passes.advance(10 * MINUTE)
      const expiresAt = store.simulator.now() + 55 * MINUTE
      store.simulator.edit(data.transaction_id, { expiresAt })
      expect(await read()).toMatchObject({ state: "pending", minutes: 65 })
      // The first end was minute 15.
      for (const later of [8, 12]) {
        passes.advance(later * MINUTE)
        const session = await read()
        expect(session).toMatchObject({ state: "pending", minutes: 65, payable_again: false })
        expect(session).toMatchObject({ redirect: data.redirect })
        expect((await shopper.comeBack(sessionId)).location).toContain("/wait?")
      }
      await store.simulator.pay(data.transaction_id, { callback: false })
      await eventually("the page says that it is paid", async () => {
        const { data: polled } = await shopper.poll(sessionId)
        return (polled as { session: { state: string } }).session.state === "paid"
      })
      expect(await settledRow(store, sessionId)).toMatchObject({ exception: null })
      await expectPaidOrder(store, cartId)
    } finally {
      passes.release()
    }
  })
})

async function buy(store: TestStore, shopper: Shopper) {
  const { cartId, sessionId, data } = await shopper.checkout("sbp")
  await store.simulator.pay(data.transaction_id)
  await settledRow(store, sessionId)
  return await expectPaidOrder(store, cartId)
}

async function cartOf(store: TestStore, orderId: string): Promise<string> {
  const { data } = await store.container.resolve("query").graph({
    entity: "order_cart",
    fields: ["cart_id"],
    filters: { order_id: orderId },
  })
  return (data[0] as { cart_id: string }).cart_id
}

async function isCanceled(shopper: Shopper, cartId: string): Promise<boolean> {
  const cart = await shopper.retrieve(cartId)
  return cart.payment_collection?.payment_sessions?.[0]?.status === "canceled"
}

function capturedEvents(store: TestStore): string[] {
  return store.events.filter(({ name }) => name === "payment.captured").map(({ data }) => data.id)
}
