import { Modules } from "@medusajs/framework/utils"
import { createTaxRatesWorkflow } from "@medusajs/medusa/core-flows"

import { logIn } from "./admin"
import { addProduct } from "./assortment"
import { editOrder } from "./order-edits"
import { withoutWatcher } from "./passes"
import { callbacksOfPayments } from "./pay/callbacks"
import { whileTheServiceIsOutOfOrder } from "./pay/outages"
import { provingPayments } from "./pay/proof"
import { askingTheProvider } from "./pay/provider"
import { whatIsKept } from "./pay/retention"
import {
  expectPaidOrder,
  findOrder,
  type OpenPayment,
  paidUnheard,
  payToOrder,
  payUntilSettled,
  rowWhen,
  Shopper,
} from "./shopper"
import { describeStore, eventually, settledRow } from "./store"

describeStore("paying for a cart", {}, (store) => {
  const shopper = new Shopper(store)

  it.each(["sbp", "crypto"] as const)(
    "pays by %s to a captured order with nothing outstanding, by the callback alone (promise 1)",
    async (method) => {
      const payment = await shopper.checkout(method)
      // Completed before it is paid, the cart stays payable.
      expect(await shopper.complete(payment.cartId)).toMatchObject({
        status: 400,
        data: { message: expect.stringContaining("not confirmed yet") },
      })
      expect((await shopper.retrieve(payment.cartId)).completed_at).toBeNull()
      const order = await withoutWatcher(store, () => payToOrder(store, payment))
      expect((await shopper.poll(payment.sessionId)).data).toMatchObject({
        session: { state: "paid", order_id: order.id },
      })
    }
  )

  it("tells the merchant's own code once, whoever found the payment (promise 14)", async () => {
    const ways: ((payment: OpenPayment) => Promise<unknown>)[] = [
      ({ data }) => store.simulator.sendCallback(data.transaction_id),
      ({ cartId }) => shopper.complete(cartId),
      ({ sessionId }) => shopper.comeBack(sessionId),
      ({ sessionId }) => shopper.poll(sessionId),
    ]
    for (const way of ways) {
      const payment = await paidUnheard(store, shopper)
      await way(payment)
      await settledRow(store, payment.sessionId)
      const toldOf = () =>
        store.events.filter(
          ({ name, data }) =>
            name === "payment_service.transaction_settled" && data.session_id === payment.sessionId
        )
      await eventually("the event", async () => toldOf().length)
      const { id: orderId } = await expectPaidOrder(store, payment.cartId)
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

  it.each([
    ["was declined", "decline", "canceled", "crypto"],
    ["the service let expire", "expire", "expired", "sbp"],
  ] as const)(
    "closes a session that %s, and the cart can be paid again (promise 6)",
    async (_, end, state, next) => {
      const over = await shopper.checkout("sbp")
      await store.simulator[end](over.data.transaction_id)
      await eventually("the session is canceled", () => isCanceled(shopper, over.cartId))
      expect((await shopper.poll(over.sessionId)).data).toMatchObject({
        session: { state, order_id: null },
      })
      expect((await shopper.retrieve(over.cartId)).completed_at).toBeNull()

      const again = await shopper.open(over.cartId, next)
      expect(again.data.transaction_id).not.toBe(over.data.transaction_id)
      await payToOrder(store, again)
    }
  )

  it("counts a pending transaction as expired two minutes after its time, but still takes its money (promise 4)", async () => {
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
    await rowWhen(store, { sessionId }, (read) => read.read_at)
    expect((await shopper.poll(sessionId)).data).toMatchObject({ session: { state: "pending" } })

    await minutesAgo(2.1)
    await eventually("the session is canceled", () => isCanceled(shopper, cartId))
    expect((await shopper.poll(sessionId)).data).toMatchObject({ session: { state: "expired" } })
    expect(store.simulator.transaction(data.transaction_id).status).toBe("PENDING")

    await payToOrder(store, { cartId, sessionId, data })
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
    const cart = await shopper.cart({ variantId, freeShipping: true })
    expect(cart.total).toBe(1199.988)

    const { data, sessionId } = await shopper.open(cart.id, "sbp")
    expect(data.amount).toBe("1199.99")
    expect(store.simulator.transaction(data.transaction_id).amount).toBe(1199.99)
    const row = await payUntilSettled(store, { data, sessionId })
    expect(row).toMatchObject({ amount: "1199.99", exception: null })
    await expectPaidOrder(store, cart.id)
  })

  it("settles what an order edit left outstanding on the order itself (promise 8)", async () => {
    const order = await payToOrder(store, await shopper.checkout("sbp"))
    await editOrder(store, await logIn(store), order.id, { add: 2 })

    const edited = await findOrder(store, order.id)
    expect(Number(edited.summary.pending_difference)).toBe(981)
    const collection = edited.payment_collections.find(({ status }) => status === "not_paid")
    const declined = await shopper.openIn(collection?.id ?? "", "", "sbp")
    expect(declined.data.amount).toBe("981.00")
    const { description } = store.simulator.transaction(declined.data.transaction_id)
    expect(description).toMatch(/ × 2$/)
    await store.simulator.decline(declined.data.transaction_id)
    await rowWhen(store, declined, (row) => row.state === "canceled")

    const payment = await shopper.openIn(collection?.id ?? "", "", "crypto")
    const row = await payUntilSettled(store, payment)
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

  describe("callbacks", () => {
    callbacksOfPayments(store)
  })
  describe("while the service is out of order", () => {
    whileTheServiceIsOutOfOrder(store)
  })
  describe("what counts as paid", () => {
    provingPayments(store)
  })
  describe("the provider", () => {
    askingTheProvider(store)
  })
  describe("what is kept", () => {
    whatIsKept(store)
  })
})

async function isCanceled(shopper: Shopper, cartId: string): Promise<boolean> {
  const cart = await shopper.retrieve(cartId)
  return cart.payment_collection?.payment_sessions?.[0]?.status === "canceled"
}
