import type { ConfigModule, IOrderModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { sumOf } from "../../src/values/amount"
import { listHeldPayments } from "../../src/payments/load-medusa-state"
import { settlePortsOf } from "../../src/payments/core"
import { portsOf } from "../../src/payments/ports"
import { settleTransaction } from "../../src/payments/queue"
import { asMedusaShows } from "./order-balance/as-medusa-shows"
import { paymentLinks } from "./order-balance/payment-links"
import { refunds } from "./order-balance/refunds"
import { editOrder } from "./order-edits"
import { addCredit } from "./order-changes"
import { type Bought, ordersAndMoney } from "./orders-and-money"
import { openProblem } from "./problems-of"
import { reconcileNow } from "./reconcile-now"
import { ordersOf } from "./shopper"
import { describeStore, eventually } from "./store"
import { setUntilTheTestEnds } from "./until-the-test-ends"

const PRICE = 2290
const OTHER_ITEM = 490.5
const LOCKED = { code: "cart_locked", detail: "the cart is locked" } as const

describeStore("the money of an order", {}, (store) => {
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
  /** A problem that the comparison tells of, and that a person handles. */
  const handled = async (order: Bought) => {
    await reconcileNow(store)
    const [problem] = await openOfOrder(order)
    if (!problem) throw new Error("Nobody is told")
    await done(problem, "handle", { note: "Talked" })
    return problem
  }

  describe("a payment that Medusa has taken", () => {
    const taken = async () => {
      const paid = await buy()
      return { paid, row: (await store.module.findBySession(paid.sessionId))! }
    }

    it("is booked when a process died before the booking, and once however often it settles", async () => {
      const { row, paid } = await taken()
      const orders = store.container.resolve(Modules.ORDER)
      const booked = async () => await orders.listOrderTransactions({ order_id: paid.orderId })
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
      expect(await openOfOrder(paid)).toEqual([])
    })

    it("is found although another tab has deleted its session meanwhile", async () => {
      const { row } = await taken()
      const find = () => listHeldPayments(portsOf(store.container), row)
      const held = await find()
      expect(held).toMatchObject([{ isCaptured: true }])
      // No key of the database keeps a payment and its session together.
      const sql = store.container.resolve<{ raw(text: string, values: object): Promise<unknown> }>(
        ContainerRegistrationKeys.PG_CONNECTION
      )
      await sql.raw("delete from payment_session where id = :id", { id: row.session_id })
      expect(await find()).toEqual(held)
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
      await handled(paid)
      await isEven(paid)
      await editOrder(store, admin, paid.orderId, { add: 1 })
      await isReported(paid, "order_underpaid", String(OTHER_ITEM))
    })

    it.each([
      ["a debt", "order_underpaid", { add: 1 }],
      ["an excess", "paid_twice", "take away"],
    ] as const)(
      "asks about %s again that was handled and over in between",
      async (_, kind, edit) => {
        const paid = await buy()
        const { orderId } = paid
        const orders = store.container.resolve<IOrderModuleService>(Modules.ORDER)
        const book = async (amount: number) => {
          await orders.addOrderTransactions({
            order_id: orderId,
            amount,
            currency_code: "rub",
            reference: "elsewhere",
            reference_id: `elsewhere_${amount}`,
          })
        }
        await editOrder(store, admin, orderId, edit)
        const problem = await handled(paid)
        expect(problem.kind).toBe(kind)
        await isEven(paid)
        const sum = Number(problem.amount) * (kind === "order_underpaid" ? 1 : -1)
        await book(sum)
        await isEven(paid)
        await book(-sum)
        await isReported(paid, kind, String(problem.amount))
      }
    )

    it.each(["two edits", "a payment and an edit"])(
      "asks about a debt again that was handled and over only between %s",
      async (changes) => {
        const paid = await buy()
        const { orderId } = paid
        await editOrder(store, admin, orderId, { add: 1 })
        const problem = await handled(paid)
        if (changes === "two edits") {
          await editOrder(store, admin, orderId, "take back")
        } else {
          const address = `/admin/payment-collections/${await unpaidOf(paid)}/mark-as-paid`
          expect((await admin.post(address, { order_id: orderId })).status).toBe(200)
        }
        await eventually("what was decided is over", async () => {
          const accepted = await store.module.listLedgerEntries({ kind: "accepted" })
          return Number(sumOf(accepted)) === 0
        })
        await editOrder(store, admin, orderId, { add: 1 })
        expect(await openOfOrder(paid)).toEqual([])
        await isReported(paid, "order_underpaid", String(problem.amount))
      }
    )

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
      await isEven(short)
      const rest = await shopper.openIn(short.collectionId, "")
      expect(rest.data.amount).toBe("590.00")
      await store.simulator.pay(rest.data.transaction_id)
      await eventually("it is paid", async () => (await owed(short)) === 0)
      await editOrder(store, admin, short.orderId, { add: 1 })
      await isReported(short, "order_underpaid", String(OTHER_ITEM))
    })

    it("tells of what is added after a credit has covered what a person had accepted (promise 8)", async () => {
      const short = await acceptedShort(1_700)
      await addCredit(admin, short.orderId, 590)
      await eventually("less is accepted", async () => {
        const entries = await store.module.listLedgerEntries({ order_id: short.orderId })
        return entries.some(({ amount }) => Number(amount) === -590)
      })
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

    it("does not ask for what a person accepted to be missing", async () => {
      const short = await acceptedShort(2_000)
      expect(await owed(short)).toBe(290)
      expect(await unpaidOf(short)).toBe("")
      await isEven(short)
    })
  })

  describe.each(["after_payment", "before_payment"] as const)(
    "is what Medusa shows, of an order placed %s",
    (placement) => asMedusaShows(store, placement)
  )

  describe("that is to be paid back, or went back (promise 9)", () => {
    refunds(store)
  })

  describe("a payment link (promise 5)", () => {
    paymentLinks(store)
  })
})
