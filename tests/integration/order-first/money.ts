import type { IPaymentModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"
import { completeCartWorkflow } from "@medusajs/medusa/core-flows"

import { settleTransactionWorkflow } from "../../../src/workflows"
import { adminOf } from "../admin"
import { editOrder } from "../order-edits"
import { stopWatcher } from "../passes"
import { openProblem } from "../problems-of"
import {
  expectPaidOrder,
  findOrder,
  type OpenPayment,
  ordersOf,
  payUntilSettled,
  Shopper,
} from "../shopper"
import { type TestStore } from "../store"

const PRICE = 2290
const OTHER_ITEM = 490.5

/** Runs in the hook `validate` of core's completion, which can be set once in a process. */
let whileCompleting: (() => Promise<void>) | null = null
completeCartWorkflow.hooks.validate(async () => {
  await whileCompleting?.()
})

export function moneyOfTheOrder(store: TestStore): void {
  const admin = adminOf(store)
  const shopper = new Shopper(store)
  let creating: jest.SpiedFunction<IPaymentModuleService["createPaymentSession"]> | null = null
  afterEach(() => {
    whileCompleting = null
    creating?.mockRestore()
  })

  async function place(payment: OpenPayment): Promise<string> {
    const answer = await shopper.complete(payment.cartId)
    expect(answer).toMatchObject({ status: 200, data: { type: "order" } })
    return (answer.data as { order: { id: string } }).order.id
  }

  describe("a cart that is edited while its payment is started in another tab", () => {
    /** Core has read what the cart is worth, and has not written the session yet. */
    function editBeforeTheSessionIsWritten(cartId: string): void {
      const payments = store.container.resolve<IPaymentModuleService>(Modules.PAYMENT)
      const create = payments.createPaymentSession.bind(payments)
      creating = jest.spyOn(payments, "createPaymentSession")
      creating.mockImplementationOnce(async (...session) => {
        expect((await shopper.addItem(cartId, 1)).status).toBe(200)
        return await create(...session)
      })
    }

    it("becomes no order for the old sum, and one for the new sum when the payment is started again", async () => {
      const cart = await shopper.cart()
      editBeforeTheSessionIsWritten(cart.id)
      const old = await shopper.open(cart.id)
      expect(old.data.amount).toBe(PRICE.toFixed(2))
      const refused = await shopper.complete(cart.id)
      expect(refused).toMatchObject({
        status: 400,
        data: { message: expect.stringContaining("The cart has changed") },
      })
      expect(await ordersOf(store, cart.id)).toEqual([])

      const again = await shopper.open(cart.id)
      expect(again.data.amount).toBe((PRICE + OTHER_ITEM).toFixed(2))
      const orderId = await place(again)
      await payUntilSettled(store, again)
      expect((await expectPaidOrder(store, cart.id)).id).toBe(orderId)
    })

    it("has a person asked when the old sum is paid all the same", async () => {
      const cart = await shopper.cart()
      editBeforeTheSessionIsWritten(cart.id)
      const old = await shopper.open(cart.id)
      await store.simulator.pay(old.data.transaction_id)
      expect(await openProblem(store, old)).toMatchObject({ kind: "paid_after_change" })
      expect(await ordersOf(store, cart.id)).toEqual([])
    })

    it("becomes no order when it changes after we were asked and before core asks us again", async () => {
      const payment = await shopper.checkout("sbp")
      const carts = store.container.resolve(Modules.CART)
      const [item] = await carts.listLineItems({ cart_id: payment.cartId })
      whileCompleting = async () => {
        await carts.updateLineItems(item?.id ?? "", { quantity: 5 })
      }
      const refused = await shopper.complete(payment.cartId)
      expect(refused.status).toBe(400)
      expect(await ordersOf(store, payment.cartId)).toEqual([])
    })
  })

  describe("two payments of one order", () => {
    /** As the dashboard's payment link: a collection of its own for what the order owes. */
    async function paymentLink(orderId: string, amount: number): Promise<OpenPayment> {
      const { data, status } = await admin.post("/admin/payment-collections", {
        order_id: orderId,
        amount,
      })
      expect(status).toBe(200)
      return await shopper.openIn((data.payment_collection as { id: string }).id, "")
    }

    async function payBoth(one: OpenPayment, other: OpenPayment): Promise<[string, string]> {
      const rows = []
      for (const { sessionId, data } of [one, other]) {
        await store.simulator.pay(data.transaction_id, { callback: false })
        rows.push((await store.module.findBySession(sessionId))?.id ?? "")
      }
      return [rows[0] ?? "", rows[1] ?? ""]
    }

    const settle = async (transaction_row_id: string) =>
      await settleTransactionWorkflow(store.container).run({ input: { transaction_row_id } })

    async function expectPaidOnce(orderId: string, rows: string[], total: number): Promise<void> {
      const order = await findOrder(store, orderId)
      const captures = order.payment_collections
        .flatMap(({ payments }) => payments)
        .flatMap(({ captures }) => captures.map(({ amount }) => Number(amount)))
      expect(captures.reduce((sum, amount) => sum + amount, 0)).toBe(total)
      expect(Number(order.summary.pending_difference)).toBe(0)
      const found = await Promise.all(rows.map((id) => store.module.retrieveTransaction(id)))
      expect(found.map(({ exception }) => exception).sort()).toEqual([null, "paid_twice"].sort())
      const open = await store.module.listProblems({ closed_at: null })
      expect(open).toMatchObject([{ kind: "paid_twice", order_id: orderId }])
    }

    it.each(["at once", "the link first"])(
      "its QR and a payment link, settled %s: one is captured, the other was paid twice",
      async (order) => {
        await stopWatcher(store)
        const qr = await shopper.checkout("sbp")
        const orderId = await place(qr)
        const link = await paymentLink(orderId, PRICE)
        const rows = await payBoth(qr, link)
        if (order === "at once") await Promise.all(rows.map(settle))
        else for (const row of [...rows].reverse()) await settle(row)
        await expectPaidOnce(orderId, rows, PRICE)
      }
    )

    it("two links after an order edit, settled at once: one is captured", async () => {
      await stopWatcher(store)
      const first = await shopper.checkout("sbp")
      const orderId = await place(first)
      await store.simulator.pay(first.data.transaction_id, { callback: false })
      await settle((await store.module.findBySession(first.sessionId))?.id ?? "")
      await editOrder(store, admin, orderId, { add: 1 })
      const links = [await linkOfEdit(orderId), await paymentLink(orderId, OTHER_ITEM)] as const
      const rows = await payBoth(...links)
      await Promise.all(rows.map(settle))
      await expectPaidOnce(orderId, rows, PRICE + OTHER_ITEM)
    })

    async function linkOfEdit(orderId: string): Promise<OpenPayment> {
      const { payment_collections } = await findOrder(store, orderId)
      const unpaid = payment_collections.find(({ status }) => status === "not_paid")
      return await shopper.openIn(unpaid?.id ?? "", "")
    }
  })
}
