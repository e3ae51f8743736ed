import type { PaymentLink } from "../../../storefront/payment-link.js" with {
  "resolution-mode": "import",
}
import { addCredit, draftOrder } from "../order-changes"
import { editOrder } from "../order-edits"
import { ordersAndMoney } from "../orders-and-money"
import type { OpenPayment } from "../shopper"
import { eventually, type TestStore } from "../store"

const OTHER_ITEM = 490.5

/** The store's public answer about an order's payment collection; a payment link's page asks for it. */
export function paymentLinks(store: TestStore): void {
  const { admin, shopper, pay, buy, cancel, owed, unpaidOf } = ordersAndMoney(store)

  const ask = (collectionId: string) =>
    store.http.get<{ payment_collection: PaymentLink; message?: string }>(
      `/store/payment-service/payment-collections/${collectionId}`
    )

  async function linkOf(collectionId: string): Promise<PaymentLink> {
    const { status, data } = await ask(collectionId)
    expect(status).toBe(200)
    return data.payment_collection
  }

  /** An order that was paid and is owed one more item, and its link as the dashboard copies it. */
  async function owingOrder() {
    const payment = await buy()
    await editOrder(store, admin, payment.orderId, { add: 1 })
    return { payment, orderId: payment.orderId, collectionId: await unpaidOf(payment) }
  }
  /** The answer to a page of the payment. */
  const polled = async ({ sessionId }: OpenPayment) => {
    const { data } = await shopper.poll(sessionId)
    return (data as { session: Record<string, unknown> }).session
  }

  it("tells the sum, the order's number and the ways to pay in its region, and nothing else, until nothing is owed", async () => {
    const { payment, orderId, collectionId } = await owingOrder()
    const { data } = await admin.get(`/admin/orders/${orderId}?fields=display_id`)
    const answer = await ask(collectionId)
    expect(answer.headers["cache-control"]).toBe("no-store")
    expect(answer.data).toEqual({
      payment_collection: {
        id: collectionId,
        state: "payable",
        amount: OTHER_ITEM.toFixed(2),
        currency: "RUB",
        order_display_id: (data.order as { display_id: number }).display_id,
        session_id: null,
        providers: [
          { id: "pp_sbp_main", method: "sbp" },
          { id: "pp_crypto_main", method: "crypto" },
        ],
      },
    })
    expect(await linkOf(payment.collectionId)).toMatchObject({ state: "paid", session_id: null })
    // There is none for a cart, nor for anything that is not there.
    const cart = await shopper.checkout("sbp")
    for (const id of [cart.collectionId, "pay_col_none", "%27%20or%201=1"]) {
      const { status, data: refused } = await ask(id)
      expect([status, refused.message]).toEqual([404, "There is no such payment link."])
    }
    await admin.post(`/admin/regions/${store.shop.regionId}`, {
      payment_providers: ["pp_crypto_main", "pp_system_default"],
    })
    expect((await linkOf(collectionId)).providers).toEqual([
      { id: "pp_crypto_main", method: "crypto" },
    ])
    await addCredit(admin, orderId, OTHER_ITEM)
    expect(await linkOf(collectionId)).toMatchObject({ state: "nothing_owed", providers: [] })
  })

  it("is asked for no more on any page of the rest, whichever attempt was paid (promise 5)", async () => {
    const { collectionId } = await owingOrder()
    const replaced = await shopper.openIn(collectionId, "", "sbp")
    const open = await shopper.openIn(collectionId, "", "crypto")
    await store.simulator.pay(replaced.data.transaction_id)
    // The order has its session for the other attempt, so a person takes this money for it.
    await eventually("the page of the open attempt knows", async () => {
      return (await polled(open)).state === "problem"
    })
    expect(await polled(open)).toMatchObject({ payable_again: false })
    expect((await shopper.choose(collectionId, "crypto")).status).toBe(400)
  })

  it("can be paid again after a decline, by what the poll tells, to its end, and cannot be paid twice (promise 6)", async () => {
    const { orderId, collectionId } = await owingOrder()
    const first = await shopper.openIn(collectionId, "")
    await store.simulator.decline(first.data.transaction_id)
    const session = await eventually("the payment is declined", async () => {
      const shown = await polled(first)
      return shown.state === "canceled" && shown
    })
    expect(session).toMatchObject({
      order_id: null,
      order_display_id: expect.any(Number),
      provider_id: "pp_sbp_main",
      payment_collection_id: collectionId,
      payable_again: true,
    })
    expect(Date.parse(String(session.server_time))).toBeGreaterThan(Date.now() - 60_000)
    expect(await linkOf(collectionId)).toMatchObject({ state: "payable", session_id: null })
    const second = await shopper.openIn(collectionId, "", "crypto")
    expect(second.data.transaction_id).not.toBe(first.data.transaction_id)
    expect((await linkOf(collectionId)).session_id).toBe(second.sessionId)
    await pay(second)
    const paid = { state: "paid", session_id: null, providers: [] }
    expect(await linkOf(collectionId)).toMatchObject(paid)
    expect(await owed({ orderId })).toBe(0)
    expect(await polled(second)).toMatchObject({
      state: "paid",
      order_id: null,
      order_display_id: expect.any(Number),
    })
    expect(await shopper.choose(collectionId, "sbp")).toMatchObject({
      status: 400,
      data: { code: "order_paid" },
    })
  })

  it("says that the order was canceled, and opens nothing for it (promise 5)", async () => {
    const orderId = await draftOrder(admin, store.shop)
    await admin.post(`/admin/draft-orders/${orderId}/convert-to-order`)
    const asked = { order_id: orderId, amount: OTHER_ITEM }
    const { data: made } = await admin.post("/admin/payment-collections", asked)
    const { id: collectionId } = made.payment_collection as { id: string }
    expect(await linkOf(collectionId)).toMatchObject({ state: "payable" })
    expect((await cancel({ orderId })).status).toBe(200)
    const canceled = { state: "canceled", session_id: null, providers: [] }
    expect(await linkOf(collectionId)).toMatchObject(canceled)
    store.simulator.clearRequests()
    expect((await shopper.choose(collectionId, "sbp")).status).toBe(400)
    expect(store.simulator.requests({ on: "create" })).toEqual([])
  })
}
