import { eventually, describeStore, settledRow } from "./store"
import { findOrder, ordersOf, Shopper } from "./shopper"

describeStore("paying for a cart", {}, (store) => {
  for (const method of ["sbp", "crypto"] as const) {
    it(`pays by ${method} to a captured order with nothing outstanding`, async () => {
      const shopper = new Shopper(store)
      const payment = await shopper.checkout(method)
      const started = Date.now()
      await store.simulator.pay(payment.data.transaction_id)
      const row = await settledRow(store, payment.sessionId)

      expect(Date.now() - started).toBeLessThan(1_000)
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
})
