import type { ConfigModule } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { settlePortsOf } from "../../src/payments/ports"
import { settleTransaction } from "../../src/payments/queue"
import { asMedusaShows } from "./order-balance/as-medusa-shows"
import { paymentLinks } from "./order-balance/payment-links"
import { refunds } from "./order-balance/refunds"
import { editOrder } from "./order-edits"
import { ordersAndMoney } from "./orders-and-money"
import { openProblem } from "./problems-of"
import { reconcileNow } from "./reconcile-now"
import { ordersOf } from "./shopper"
import { describeStore, eventually } from "./store"
import { setUntilTheTestEnds } from "./until-the-test-ends"

const PRICE = 2290
const OTHER_ITEM = 490.5

describeStore("the money of an order", { paidOrders: 1 }, (store) => {
  const story = ordersAndMoney(store)
  const { admin, shopper, pay, buy, openOfOrder, paidForNothing, paidOther, done } = story
  const { owed, unpaidOf, openRest, isEven } = story

  /** The comparison tells of this alone. */
  const isReported = async (order: { orderId: string }, kind: string, amount: string) => {
    await reconcileNow(store)
    expect(await openOfOrder(order)).toMatchObject([{ kind, amount }])
  }
  /** The order's card offers a payment link for the rest, and the link's page has that sum to pay. */
  const expectLinkForTheRest = async (orderId: string) => {
    const { admin: ofConfig } = store.container.resolve<ConfigModule>(
      ContainerRegistrationKeys.CONFIG_MODULE
    )
    setUntilTheTestEnds(ofConfig, { storefrontUrl: "https://shop.test/" })
    const { data } = await admin.get(`/admin/payment-service/payments?order_id=${orderId}`)
    expect(data.payment_link).toMatchObject({ amount: "490.50", currency: "RUB" })
    const { address } = data.payment_link as { address: string }
    const [, id] = /^https:\/\/shop\.test\/payment-collection\/(pay_col_\w+)$/.exec(address) ?? []
    const link = await shopper.raw("get", `/store/payment-service/payment-collections/${id ?? ""}`)
    expect(link.data).toMatchObject({ payment_collection: { state: "payable", amount: "490.50" } })
  }

  it("is booked when a process died before the booking, and once however often it settles (promise 11)", async () => {
    const paid = await buy()
    const row = (await store.module.findBySession(paid.sessionId))!
    const orders = store.container.resolve(Modules.ORDER)
    const booked = async () => await orders.listOrderTransactions({ order_id: paid.orderId })
    await orders.deleteOrderTransactions((await booked()).map(({ id }) => id))
    expect(await booked()).toEqual([])
    for (let time = 0; time < 2; time++) {
      await store.module.updateTransactions({ id: row.id, settled_at: null })
      await settleTransaction(settlePortsOf(store.container), row.id)
      expect((await booked()).map(({ amount }) => Number(amount))).toEqual([PRICE])
    }
    expect(await openOfOrder(paid)).toEqual([])
  })

  describe("the daily comparison (promise 8)", () => {
    it("tells of an order that owes something, until it is paid", async () => {
      const paid = await buy()
      await isEven(paid)
      await editOrder(store, admin, paid.orderId, { add: 1 })
      await isReported(paid, "order_underpaid", String(OTHER_ITEM))
      await expectLinkForTheRest(paid.orderId)
      await pay(await openRest(paid))
      await eventually("it is told of no more", async () => !(await openOfOrder(paid)).length)
    })

    it("is silent about what a person took as it is, and tells of any other sum", async () => {
      const paid = await buy()
      await editOrder(store, admin, paid.orderId, { add: 1 })
      await reconcileNow(store)
      await done(await openProblem(store, paid), "handle", { note: "Talked" })
      await isEven(paid)
      await editOrder(store, admin, paid.orderId, { add: 1 })
      await isReported(paid, "order_underpaid", String(OTHER_ITEM))
    })

    it("tells of an order that was paid too much, and books what goes back", async () => {
      const paid = await buy()
      await editOrder(store, admin, paid.orderId, "take away")
      await reconcileNow(store)
      const problem = await openProblem(store, paid)
      expect(problem).toMatchObject({ kind: "paid_twice", order_id: paid.orderId })
      expect(Number(problem.amount)).toBe(-(await owed(paid)))
      await done(problem, "refunded-outside", { note: "By bank" })
      expect(await owed(paid)).toBe(0)
      await isEven(paid)
    })

    /** Less than 2,290 was paid, and a person has accepted that. */
    const acceptedShort = async (amount: number) => {
      const { payment, problem } = await paidOther(amount)
      await done(problem, "accept-amount")
      const [orderId = ""] = await ordersOf(store, payment.cartId)
      return { ...payment, orderId }
    }

    it("tells of what is added after a customer paid what a person had accepted to be missing (promise 8)", async () => {
      const short = await acceptedShort(1_700)
      expect(await owed(short)).toBe(590)
      expect(await unpaidOf(short)).toBe("")
      await isEven(short)
      const rest = await shopper.openIn(short.collectionId, "")
      expect(rest.data.amount).toBe("590.00")
      await store.simulator.pay(rest.data.transaction_id)
      await eventually("it is paid", async () => (await owed(short)) === 0)
      await editOrder(store, admin, short.orderId, { add: 1 })
      await isReported(short, "order_underpaid", String(OTHER_ITEM))
    })

    it("has a payment link for the rest of a changed cart whose payment a person took (promise 8)", async () => {
      const { payment, problem } = await paidForNothing()
      await done(problem, "place-order")
      const [orderId = ""] = await ordersOf(store, payment.cartId)
      await expectLinkForTheRest(orderId)
      await pay(await openRest({ orderId }))
      expect(await owed({ orderId })).toBe(0)
      await isEven({ ...payment, orderId })
    })
  })

  describe("is what Medusa shows (promise 8)", () => {
    asMedusaShows(store)
  })

  describe("that is to be paid back, or went back (promise 9)", () => {
    refunds(store)
  })

  describe("a payment link (promise 5)", () => {
    paymentLinks(store)
  })
})
