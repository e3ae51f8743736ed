import type { IOrderModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { sumOf } from "../../src/values/amount"
import { findHeldPayment } from "../../src/payments/load-medusa-state"
import { portsOf } from "../../src/payments/ports"
import { settleTransaction } from "../../src/payments/queue"
import { settlePortsOf } from "../../src/payments/core"
import { type Admin, logIn } from "./admin"
import { asMedusaShows } from "./order-balance/as-medusa-shows"
import { paymentLinks } from "./order-balance/payment-links"
import { refunds } from "./order-balance/refunds"
import { editOrder } from "./order-edits"
import { addCredit } from "./order-changes"
import { act, expectOnlyAsSeen, openProblem } from "./problems-of"
import { reconcileNow } from "./reconcile-now"
import { findOrder, type OpenPayment, ordersOf, Shopper } from "./shopper"
import { describeStore, eventually, settledRow } from "./store"

const PRICE = 2290
const OTHER_ITEM = 490.5
const LOCKED = { code: "cart_locked", detail: "the cart is locked" } as const

describeStore("the money of an order", {}, (store) => {
  let admin: Admin
  let shopper: Shopper
  beforeAll(async () => {
    admin = await logIn(store)
    shopper = new Shopper(store)
  })

  /** The service lists payments of the other tests, too, which this store does not know any more. */
  async function problemsOf(order_id: string) {
    return await store.module.listProblems({ order_id, closed_at: null })
  }

  /** The cart was worth less when its QR was made. */
  async function paidAfterChange() {
    const payment = await shopper.checkout("sbp")
    await shopper.addItem(payment.cartId, 1)
    await store.simulator.pay(payment.data.transaction_id)
    const problem = await openProblem(store, payment)
    expect(problem.kind).toBe("paid_after_change")
    return { payment, problem }
  }

  describe("a payment that Medusa has taken", () => {
    async function taken() {
      const payment = await shopper.checkout("sbp")
      await store.simulator.pay(payment.data.transaction_id)
      const row = await settledRow(store, payment.sessionId)
      const [orderId = ""] = await ordersOf(store, payment.cartId)
      return { row, orderId }
    }

    it("is booked when a process died before the booking, and once however often it settles", async () => {
      const { row, orderId } = await taken()
      const orders = store.container.resolve(Modules.ORDER)
      const booked = async () => await orders.listOrderTransactions({ order_id: orderId })
      await orders.deleteOrderTransactions((await booked()).map(({ id }) => id))
      expect(await booked()).toEqual([])
      for (let time = 0; time < 2; time++) {
        await store.module.updateTransactions({ id: row.id, settled_at: null })
        await settleTransaction(settlePortsOf(store.container), row.id)
        expect((await booked()).map(({ amount }) => Number(amount))).toEqual([PRICE])
      }
      expect(await store.module.transactions.get(row.id)).toMatchObject({
        settled_at: expect.any(Date),
      })
      expect(await problemsOf(orderId)).toEqual([])
    })

    it("is found although another tab has deleted its session meanwhile", async () => {
      const { row } = await taken()
      const find = () => findHeldPayment(portsOf(store.container), row, { notOf: null })
      const payment = await find()
      expect(payment).toMatchObject({ isCaptured: true })
      // No key of the database keeps a payment and its session together.
      const sql = store.container.resolve<{ raw(text: string, values: object): Promise<unknown> }>(
        ContainerRegistrationKeys.PG_CONNECTION
      )
      await sql.raw("delete from payment_session where id = :id", { id: row.session_id })
      expect(await find()).toEqual(payment)
    })

    it("is not noted as failed by a settle that judged it before it was taken", async () => {
      const { row } = await taken()
      await store.module.transactions.recordRefusal(row, {
        exception: "completion_failed",
        reasons: [LOCKED],
        attempts: 1,
        pauseMs: 0,
      })
      const now = await store.module.transactions.get(row.id)
      expect(now).toMatchObject({ exception: null, exception_reasons: null })
    })
  })

  describe("a payment for a cart that is worth more by now", () => {
    it("buys nothing until a person says the sum that the cart is worth", async () => {
      const { payment, problem } = await paidAfterChange()
      const total = (PRICE + OTHER_ITEM).toFixed(2)
      const { data } = await admin.get(`/admin/payment-service/problems/${problem.id}`)
      expect(data).toMatchObject({ problem: { amount: String(PRICE), cart_total: total } })

      await expectOnlyAsSeen({ store, admin }, problem, "place-order", {
        codes: { amount: "other_sum_paid", cart_total: "other_cart_total" },
      })
      expect(await ordersOf(store, payment.cartId)).toEqual([])
      const ofPaid = await act(admin, problem, "place-order", { cart_total: PRICE })
      expect([ofPaid.status, ofPaid.data.message]).toEqual([400, expect.stringContaining(total)])

      const placed = await act(admin, problem, "place-order", { cart_total: total })
      expect(placed).toMatchObject({ status: 200, data: { problem: { resolution: "accepted" } } })
      const [orderId = ""] = await ordersOf(store, payment.cartId)
      const order = await findOrder(store, orderId)
      // The collection is of the whole order, of which a part is paid.
      expect(Number(order.payment_collections[0]?.amount)).toBe(PRICE + OTHER_ITEM)
      expect(Number(order.payment_collections[0]?.captured_amount)).toBe(PRICE)
      expect(Number(order.summary.pending_difference)).toBe(OTHER_ITEM)
      expect(await problemsOf(orderId)).toMatchObject([
        { kind: "order_underpaid", order_id: orderId, amount: String(OTHER_ITEM) },
      ])
    })

    it("places no order for a sum that changed between the screen and the click", async () => {
      const { payment, problem } = await paidAfterChange()
      const seen = "2780.50"
      const carts = store.container.resolve(Modules.CART)
      const [item] = await carts.listLineItems({ cart_id: payment.cartId })
      await carts.updateLineItems(item?.id ?? "", { quantity: 27 })
      const refused = await act(admin, problem, "place-order", { cart_total: seen })
      expect(refused.status).toBe(400)
      expect(refused.data.message).toContain("you have seen 2,780.50 RUB")
      expect(await ordersOf(store, payment.cartId)).toEqual([])
    })
  })

  describe("the daily comparison", () => {
    async function paidOrder(): Promise<{ payment: OpenPayment; orderId: string }> {
      const payment = await shopper.checkout("sbp")
      await store.simulator.pay(payment.data.transaction_id)
      await settledRow(store, payment.sessionId)
      const [orderId = ""] = await ordersOf(store, payment.cartId)
      return { payment, orderId }
    }

    it("tells of an order that owes something, until it is paid", async () => {
      const { orderId } = await paidOrder()
      await reconcileNow(store)
      expect(await problemsOf(orderId)).toEqual([])
      await editOrder(store, admin, orderId, { add: 1 })
      await reconcileNow(store)
      expect(await problemsOf(orderId)).toMatchObject([
        { kind: "order_underpaid", order_id: orderId, amount: String(OTHER_ITEM) },
      ])

      const { payment_collections } = await findOrder(store, orderId)
      const unpaid = payment_collections.find(({ status }) => status === "not_paid")
      const rest = await shopper.openIn(unpaid?.id ?? "", "")
      await store.simulator.pay(rest.data.transaction_id)
      await settledRow(store, rest.sessionId)
      await eventually("it is told of no more", async () => !(await problemsOf(orderId)).length)
    })

    it("is silent about what a person took as it is, and tells of any other sum", async () => {
      const { orderId } = await paidOrder()
      await editOrder(store, admin, orderId, { add: 1 })
      await reconcileNow(store)
      const [problem] = await problemsOf(orderId)
      if (!problem) throw new Error("Nobody is told")
      expect((await act(admin, problem, "handle", { note: "A present" })).status).toBe(200)
      await reconcileNow(store)
      expect(await problemsOf(orderId)).toEqual([])
      await editOrder(store, admin, orderId, { add: 1 })
      await reconcileNow(store)
      expect(await problemsOf(orderId)).toMatchObject([
        { kind: "order_underpaid", amount: String(OTHER_ITEM) },
      ])
    })

    it.each([
      ["a debt", "order_underpaid", { add: 1 }],
      ["an excess", "paid_twice", "take away"],
    ] as const)(
      "asks about %s again that was handled and over in between",
      async (_, kind, edit) => {
        const { orderId } = await paidOrder()
        const orders = store.container.resolve<IOrderModuleService>(Modules.ORDER)
        const book = async (amount: number) => {
          await orders.addOrderTransactions({
            order_id: orderId,
            amount,
            currency_code: "rub",
            reference: "elsewhere",
            reference_id: `elsewhere_${amount}`,
          })
          await reconcileNow(store)
        }
        await editOrder(store, admin, orderId, edit)
        await reconcileNow(store)
        const [problem] = await problemsOf(orderId)
        if (!problem) throw new Error("Nobody is told")
        expect(problem.kind).toBe(kind)
        expect((await act(admin, problem, "handle", { note: "Talked" })).status).toBe(200)
        await reconcileNow(store)
        expect(await problemsOf(orderId)).toEqual([])
        const sum = Number(problem.amount) * (kind === "order_underpaid" ? 1 : -1)
        await book(sum)
        expect(await problemsOf(orderId)).toEqual([])
        await book(-sum)
        expect(await problemsOf(orderId)).toMatchObject([{ kind, amount: problem.amount }])
      }
    )

    it.each(["two edits", "a payment and an edit"])(
      "asks about a debt again that was handled and over only between %s",
      async (changes) => {
        const { orderId } = await paidOrder()
        await editOrder(store, admin, orderId, { add: 1 })
        await reconcileNow(store)
        const [problem] = await problemsOf(orderId)
        if (!problem) throw new Error("Nobody is told")
        expect((await act(admin, problem, "handle", { note: "Talked" })).status).toBe(200)
        if (changes === "two edits") {
          await editOrder(store, admin, orderId, "take back")
        } else {
          const { payment_collections } = await findOrder(store, orderId)
          const unpaid = payment_collections.find(({ status }) => status === "not_paid")
          const address = `/admin/payment-collections/${unpaid?.id ?? ""}/mark-as-paid`
          expect((await admin.post(address, { order_id: orderId })).status).toBe(200)
        }
        await eventually("what was decided is over", async () => {
          const accepted = await store.module.listLedgerEntries({ kind: "accepted" })
          return Number(sumOf(accepted)) === 0
        })
        await editOrder(store, admin, orderId, { add: 1 })
        expect(await problemsOf(orderId)).toEqual([])
        await reconcileNow(store)
        expect(await problemsOf(orderId)).toMatchObject([
          { kind: "order_underpaid", amount: problem.amount },
        ])
      }
    )

    it("tells of an order that was paid too much, and books what goes back", async () => {
      const { payment, orderId } = await paidOrder()
      await editOrder(store, admin, orderId, "take away")
      await reconcileNow(store)
      const problem = await openProblem(store, payment)
      expect(problem).toMatchObject({ kind: "paid_twice", order_id: orderId })
      const { summary } = await findOrder(store, orderId)
      expect(Number(problem.amount)).toBe(-Number(summary.pending_difference))
      const back = await act(admin, problem, "refunded-outside", { note: "By bank" })
      expect(back.status).toBe(200)
      expect(Number((await findOrder(store, orderId)).summary.pending_difference)).toBe(0)
      await reconcileNow(store)
      expect(await problemsOf(orderId)).toEqual([])
    })

    /** 1,700 of 2,290 were paid, and a person has accepted that. */
    const acceptedShort = async () => {
      const short = await shopper.checkout("sbp")
      store.simulator.edit(short.data.transaction_id, { amount: 1_700 })
      await store.simulator.pay(short.data.transaction_id)
      const less = await openProblem(store, short)
      expect((await act(admin, less, "accept-amount")).status).toBe(200)
      const [orderId = ""] = await ordersOf(store, short.cartId)
      return { short, orderId }
    }

    it("tells of what is added after a customer paid what a person had accepted to be missing (promise 8)", async () => {
      const { short, orderId } = await acceptedShort()
      await reconcileNow(store)
      expect(await problemsOf(orderId)).toEqual([])

      const rest = await shopper.openIn(short.collectionId, "")
      expect(rest.data.amount).toBe("590.00")
      await store.simulator.pay(rest.data.transaction_id)
      await eventually("it is paid", async () => {
        const { summary } = await findOrder(store, orderId)
        return Number(summary.pending_difference) === 0
      })
      await editOrder(store, admin, orderId, { add: 1 })
      await reconcileNow(store)
      const [owed, ...others] = await problemsOf(orderId)
      expect(others).toEqual([])
      expect(owed).toMatchObject({ kind: "order_underpaid", amount: String(OTHER_ITEM) })
    })

    it("tells of what is added after a credit has covered what a person had accepted (promise 8)", async () => {
      const { orderId } = await acceptedShort()
      await addCredit(admin, orderId, 590)
      await eventually("less is accepted", async () => {
        const entries = await store.module.listLedgerEntries({ order_id: orderId })
        return entries.some(({ amount }) => Number(amount) === -590)
      })
      await editOrder(store, admin, orderId, { add: 1 })
      await reconcileNow(store)
      expect(await problemsOf(orderId)).toMatchObject([
        { kind: "order_underpaid", amount: String(OTHER_ITEM) },
      ])
    })

    it("does not ask for what a person accepted to be missing", async () => {
      const short = await shopper.checkout("sbp")
      store.simulator.edit(short.data.transaction_id, { amount: 2000 })
      await store.simulator.pay(short.data.transaction_id)
      const accepted = await act(admin, await openProblem(store, short), "accept-amount")
      expect(accepted.status).toBe(200)
      const [orderId = ""] = await ordersOf(store, short.cartId)
      expect(Number((await findOrder(store, orderId)).summary.pending_difference)).toBe(290)
      await reconcileNow(store)
      expect(await problemsOf(orderId)).toEqual([])
    })
  })

  describe.each(["after_payment", "before_payment"] as const)(
    "is what Medusa shows, of an order placed %s",
    (placement) => asMedusaShows(store, placement)
  )

  describe("that is to be paid back, or went back", () => {
    refunds(store)
  })

  describe("a payment link", () => {
    paymentLinks(store)
  })
})
