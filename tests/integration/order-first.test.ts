import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { updateRegionsWorkflow } from "@medusajs/medusa/core-flows"

import type { TransactionRow } from "../../src/modules/payment-service"
import { reportMissed } from "../../src/payments/start-due-work"
import { settlePortsOf } from "../../src/payments/ports"
import { type Admin, adminOf } from "./admin"
import { addCredit, markAsPaid } from "./order-changes"
import { setClockAhead, stopWatcher, withoutWatcher } from "./passes"
import { editOrder } from "./order-edits"
import { act, expectOnlyAsSeen, listedProblems, openProblem } from "./problems-of"
import {
  expectOrderOf,
  expectPaidOrder,
  findOrder,
  type OpenPayment,
  ordersOf,
  payToOrder,
  payUntilSettled,
  rowWhen,
  Shopper,
} from "./shopper"
import { settleDue } from "./settle-due"
import { settleTransactionWorkflow } from "../../src/workflows"
import { describeStore, eventually, settledRow, type TestStore } from "./store"

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const LAST_ITEM = 2
const OTHER_PROVIDER = "pp_system_default"

describeStore(
  "an order placed before its payment",
  { env: { PAYMENT_SERVICE_ORDER_PLACEMENT: "before_payment" } },
  (store) => {
    const shopper = new Shopper(store)
    const admin = adminOf(store)

    /** The store's time goes on, and everything that is due until then is settled. */
    async function passTime(ms: number): Promise<void> {
      // This pass would leave alone the payments that the store's own watcher works on.
      await withoutWatcher(store, async () => {
        setClockAhead(store, ms)
        store.simulator.advance(ms)
        await settleDue(store)
      })
    }
    const statusOf = async (orderId: string) => (await findOrder(store, orderId)).status
    const place = (payment: OpenPayment) => shopper.place(payment)

    it("reserves the stock, waits for the money, and takes it once (promise 2)", async () => {
      const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orderId = await place(payment)
      expect(await reservedOf(store, lastItem(store))).toBe(1)
      const pending = await findOrder(store, orderId)
      expect(pending).toMatchObject({ status: "pending", transactions: [] })
      await rowWhen(store, payment, (row) => row.order_id)
      expect((await shopper.poll(payment.sessionId)).data).toMatchObject({
        session: { state: "pending", order_id: orderId },
      })

      // However many come with the news at the same time.
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      await Promise.all([
        store.simulator.sendCallback(payment.data.transaction_id),
        store.simulator.sendCallback(payment.data.transaction_id),
        shopper.poll(payment.sessionId),
        shopper.comeBack(payment.sessionId),
        shopper.complete(payment.cartId),
        settleDue(store),
      ])
      expect((await expectOrderOf(store, payment)).id).toBe(orderId)
      await eventually("both events", async () => eventNames(store).length >= 3)
      expect(eventNames(store).sort()).toEqual([
        "order.placed",
        "payment.captured",
        "payment_service.transaction_settled",
      ])
      expect((await shopper.comeBack(payment.sessionId)).location).toContain("/done?return=pstx_")
    })

    it("orders by itself what was paid before the shop completed the cart", async () => {
      const payment = await shopper.checkout("sbp")
      const order = await payToOrder(store, payment)
      expect(await place(payment)).toBe(order.id)
      await expectPaidOrder(store, payment.cartId)
    })

    it("places no order on a promise while a person has the money of another attempt (promise 5), or after a decline", async () => {
      const paid = await shopper.checkout("sbp")
      const promised = await shopper.open(paid.cartId, "crypto")
      await store.simulator.pay(paid.data.transaction_id, { amount: 1_000 })
      await rowWhen(store, paid, (row) => row.exception === "amount_less")
      expect((await shopper.poll(promised.sessionId)).data).toMatchObject({
        session: { state: "problem" },
      })
      expect(await shopper.complete(paid.cartId)).toMatchObject({
        status: 400,
        data: { code: "cart_needs_look" },
      })
      expect(await ordersOf(store, paid.cartId)).toEqual([])

      const declined = await shopper.checkout("sbp")
      await store.simulator.decline(declined.data.transaction_id, { callback: false })
      expect((await shopper.complete(declined.cartId)).status).toBe(400)
      expect(await ordersOf(store, declined.cartId)).toEqual([])
    })

    it("keeps order and stock after a decline, and takes another payment for it (promise 6)", async () => {
      const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orderId = await place(payment)
      await store.simulator.decline(payment.data.transaction_id)
      await eventually("the session is closed", async () => isClosed(store, payment))
      expect(await statusOf(orderId)).toBe("pending")
      expect(await reservedOf(store, lastItem(store))).toBe(1)

      const again = await shopper.openIn(payment.collectionId, payment.cartId, "crypto")
      expect(again.data.transaction_id).not.toBe(payment.data.transaction_id)
      await payUntilSettled(store, again)
      expect((await expectPaidOrder(store, payment.cartId)).id).toBe(orderId)
      // The first one is over; nothing of it touches the order that was paid.
      await passTime(20 * MINUTE)
      expect(await statusOf(orderId)).toBe("pending")

      await store.simulator.pay(payment.data.transaction_id)
      const problem = await openProblem(store, payment)
      expect(problem).toMatchObject({ kind: "paid_twice", order_id: orderId })
      await expectPaidOrder(store, payment.cartId)
    })

    it("cancels the order and frees the stock when every payment is over (promise 7)", async () => {
      const declined = await shopper.checkout("sbp")
      const expired = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orders = [await place(declined), await place(expired)]
      await store.simulator.decline(declined.data.transaction_id)
      await eventually("the session is closed", async () => isClosed(store, declined))
      await passTime(18 * MINUTE)
      await eventually("the orders are canceled", async () => {
        await settleDue(store)
        const statuses = await Promise.all(orders.map(statusOf))
        return statuses.every((status) => status === "canceled")
      })
      expect(await reservedOf(store, lastItem(store))).toBe(0)
      expect(await isClosed(store, expired)).toBe(true)
      expect(await listedProblems(admin)).toEqual([])
    })

    it("cancels what the service has forgotten, an hour after its time was over (promise 7)", async () => {
      const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orderId = await place(payment)
      store.simulator.fault({ on: "get", kind: "status", status: 404, times: Infinity })
      await passTime(60 * MINUTE)
      expect(await statusOf(orderId)).toBe("pending")
      await passTime(20 * MINUTE)
      expect(await statusOf(orderId)).toBe("canceled")
      expect(await reservedOf(store, lastItem(store))).toBe(0)
      expect(await rowOf(store, payment)).toMatchObject({ state: "expired", exception: null })
      expect(await listedProblems(admin)).toEqual([])

      // It was there after all: a person is asked, and nothing is captured.
      store.simulator.clearFaults()
      await store.simulator.pay(payment.data.transaction_id)
      expect(await openProblem(store, payment)).toMatchObject({ kind: "paid_after_change" })
    })

    it("holds the order as long as each answer gives time, and takes what comes then (promise 6)", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      const { transaction_id: id } = payment.data
      await passTime(10 * MINUTE)
      store.simulator.edit(id, { expiresAt: store.simulator.now() + 55 * MINUTE })
      await passTime(2 * MINUTE)
      // The first end was minute 15.
      await passTime(18 * MINUTE)
      expect(await rowOf(store, payment)).toMatchObject({ state: "pending" })
      const { data } = await shopper.poll(payment.sessionId)
      const { session } = data as { session: { expires_at: string } }
      const left = Date.parse(session.expires_at) - store.module.clock.now().getTime()
      expect(Math.round(left / MINUTE)).toBe(35)
      expect(await statusOf(orderId)).toBe("pending")
      await store.simulator.pay(id)
      await settledRow(store, payment.sessionId)
      expect(await statusOf(orderId)).toBe("pending")
    })

    it("is kept when its QR expires and it was covered in another way, and a person is told of a rest (promise 7)", async () => {
      const [whole, part] = [await shopper.checkout("sbp"), await shopper.checkout("sbp")]
      const [covered, owing] = [await place(whole), await place(part)]
      await markAsPaid(admin, covered, 2290)
      await addCredit(admin, owing, 2190)
      await passTime(18 * MINUTE)
      await eventually("both QRs are closed", async () => {
        await settleDue(store)
        return (await isClosed(store, whole)) && (await isClosed(store, part))
      })
      await passTime(10 * MINUTE)
      for (const id of [covered, owing]) expect(await statusOf(id)).toBe("pending")
      expect(await store.module.listProblems({ order_id: covered })).toEqual([])
      expect(await openProblem(store, part)).toMatchObject({
        kind: "order_unpaid",
        order_id: owing,
        message: expect.stringContaining("₽100.00 are owed") as string,
      })
      await addCredit(admin, owing, 100)
      await reportMissed(settlePortsOf(store.container))
      expect(await listedProblems(admin, "status=open")).toEqual([])
    })

    it("is to be paid on delivery: nothing is told as owed once money that came is given back; it can be taken instead, unless the order is canceled (promises 4 and 8)", async () => {
      await offerSystemProvider(store)
      /** The order is to be paid on delivery, and its QR is paid after all. */
      const paidInVain = async () => {
        const payment = await shopper.checkout("sbp")
        await openElsewhere(shopper, payment)
        const orderId = await place(payment)
        await store.simulator.pay(payment.data.transaction_id)
        const problem = await openProblem(store, payment)
        expect(problem.kind).toBe("paid_twice")
        return { payment, orderId, problem }
      }
      const back = await paidInVain()
      expect((await act(admin, back.problem, "handle", { note: "Given back" })).status).toBe(200)
      // The customer pays on delivery, so nobody is asked for what the order owes until then.
      expect(await listedProblems(admin, `status=open&order_id=${back.orderId}`)).toEqual([])

      const canceled = await paidInVain()
      expect((await admin.post(`/admin/orders/${canceled.orderId}/cancel`)).status).toBe(200)
      const { data, status } = await act(admin, canceled.problem, "take-instead")
      // It may come when the problem says so already.
      expect([status, data.code]).toEqual([
        400,
        expect.stringMatching(/^(order_canceled|other_actions)$/),
      ])

      const { payment, orderId, problem } = await paidInVain()
      expect(problem.message).toContain("to be paid in another way, for example on delivery")
      const [listed] = await listedProblems(admin, `q=${payment.data.transaction_id}`)
      expect(listed?.actions).toContain("take_instead")
      await expectOnlyAsSeen({ store, admin }, problem, "take-instead", {
        codes: { amount: "other_sum_paid" },
      })
      const answers = await Promise.all([
        act(admin, problem, "take-instead"),
        act(admin, problem, "take-instead"),
      ])
      expect(answers.map((answer) => answer.status)).toContain(200)
      expect((await settledRow(store, payment.sessionId)).order_id).toBe(orderId)
      expect(Number((await findOrder(store, orderId)).summary.pending_difference)).toBe(0)
      const payments = await store.container
        .resolve(Modules.PAYMENT)
        .listPayments({ payment_collection_id: payment.collectionId } as object)
      const ends = payments.map(({ provider_id, canceled_at, captured_at }) => [
        provider_id,
        canceled_at ? "canceled" : captured_at ? "captured" : "promised",
      ])
      expect(ends.sort()).toEqual([
        ["pp_sbp_main", "captured"],
        [OTHER_PROVIDER, "canceled"],
      ])
      const open = `q=${payment.data.transaction_id}&status=open`
      expect(await listedProblems(admin, open)).toEqual([])
    })

    it("does not cancel while a payment in another collection of the order may still come", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      await store.simulator.decline(payment.data.transaction_id)
      await eventually("the session is closed", async () => isClosed(store, payment))
      const collectionId = await addCollection(store, orderId)
      await passTime(10 * MINUTE)
      const again = await shopper.openIn(collectionId, payment.cartId, "sbp")
      await passTime(8 * MINUTE)
      expect(await statusOf(orderId)).toBe("pending")

      await passTime(10 * MINUTE)
      expect((await rowOf(store, again)).state).toBe("expired")
      expect(await statusOf(orderId)).toBe("canceled")
    })

    describe("edited while its payment was open", () => {
      /** The order's first total is paid, and 490.50 more are owed. */
      async function paidInPart() {
        const payment = await shopper.checkout("sbp")
        const orderId = await place(payment)
        await rowWhen(store, payment, (row) => row.order_id)
        await editOrder(store, admin, orderId, { add: 1 })
        return { payment, orderId }
      }

      it("takes the rest by another payment, asked for where the first one was (promise 8)", async () => {
        const { payment, orderId } = await paidInPart()
        await payUntilSettled(store, payment)
        expect(Number((await findOrder(store, orderId)).summary.pending_difference)).toBe(490.5)
        const problem = await openProblem(store, payment)
        expect(problem).toMatchObject({
          kind: "order_underpaid",
          order_id: orderId,
          amount: "490.5",
          message: expect.stringContaining("worth ₽2,780.50, and ₽2,290.00 were paid"),
        })

        const rest = await shopper.openIn(payment.collectionId, payment.cartId, "sbp")
        expect(rest.data.amount).toBe("490.50")
        const asked = await Promise.all([
          shopper.choose(payment.collectionId, "sbp"),
          shopper.choose(payment.collectionId, "sbp"),
        ])
        expect(asked.map(({ status }) => status)).toEqual([200, 200])
        const { session_id } = await rowOf(store, rest)
        await payUntilSettled(store, { ...rest, sessionId: session_id })
        const paid = await findOrder(store, orderId)
        expect(Number(paid.summary.pending_difference)).toBe(0)
        expect(paid.payment_collections).toHaveLength(2)
        expect(paid.transactions.map(({ amount }) => Number(amount)).sort()).toEqual([2290, 490.5])
        expect(store.simulator.requests({ on: "create" })).toHaveLength(2)
        await eventually("nothing is told of any more", async () => {
          return !(await listedProblems(admin, "status=open")).length
        })

        for (const { id } of paid.payment_collections) {
          expect(await shopper.choose(id, "crypto")).toMatchObject({
            status: 400,
            data: { message: "This order is paid already. Please do not pay again." },
          })
        }
      })

      it("asks for nothing that another payment, which is not taken yet, may cover, and for no more than is owed (promise 5)", async () => {
        const { payment, orderId } = await paidInPart()
        const other = await addCollection(store, orderId)
        await withoutWatcher(store, async () => {
          await store.simulator.pay(payment.data.transaction_id, { callback: false })
          // A read just before would save the next caller a look.
          await store.module.updateTransactions({
            id: (await rowOf(store, payment)).id,
            read_at: null,
          })
          for (const collectionId of [other, payment.collectionId]) {
            expect(await shopper.choose(collectionId, "sbp")).toMatchObject({
              status: 400,
              data: { message: expect.stringContaining("order has already been received") },
            })
          }
        })
        await payUntilSettled(store, payment)
        expect(await shopper.choose(other, "sbp")).toMatchObject({
          status: 400,
          data: {
            code: "more_than_owed",
            message: expect.stringContaining("Only ₽490.50 is still to be paid"),
          },
        })
        const rest = await shopper.openIn(payment.collectionId, payment.cartId, "sbp")
        expect(rest.data.amount).toBe("490.50")
      })
    })

    it("sent before its payment, whose time is over: a person is asked once, and it ends as they say, or when it is paid (promise 7)", async () => {
      const sent = []
      for (let order = 0; order < 3; order++) {
        const payment = await shopper.checkout("sbp")
        const orderId = await place(payment)
        sent.push({ payment, orderId, fulfillmentId: await fulfill(admin, orderId) })
      }
      await passTime(18 * MINUTE)
      // A settle that the order's events have begun may hold a payment, and then this pass leaves it alone.
      for (const { payment } of sent) {
        await eventually("the session is closed", async () => isClosed(store, payment))
      }
      for (const pause of [10, 60, 6 * 60]) await passTime(pause * MINUTE)
      const asked = []
      for (const one of sent) {
        const problem = await openProblem(store, one.payment)
        expect(problem).toMatchObject({
          kind: "order_unpaid",
          order_id: one.orderId,
          message: expect.stringMatching(/order_.* was not paid in time.*fulfillments/i) as string,
        })
        asked.push({ ...one, problem })
      }
      const [back, paid, handled] = asked as [
        (typeof asked)[0],
        (typeof asked)[0],
        (typeof asked)[0],
      ]
      const { orderId, fulfillmentId } = back
      const cancelSending = `/admin/orders/${orderId}/fulfillments/${fulfillmentId}/cancel`
      expect((await admin.post(cancelSending)).status).toBe(200)
      expect((await act(admin, back.problem, "retry")).status).toBe(200)
      expect(await statusOf(orderId)).toBe("canceled")

      expect((await payToOrder(store, paid.payment)).id).toBe(paid.orderId)
      await act(admin, handled.problem, "handle", { note: "Paid in cash" })
      await passTime(DAY)
      await reportMissed(settlePortsOf(store.container))
      expect(await listedProblems(admin, "status=open")).toEqual([])
      expect(await statusOf(handled.orderId)).toBe("pending")
    })

    it("paid a day after it was canceled: no order is made of it, and it is paid back outside (promise 4)", async () => {
      const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orderId = await place(payment)
      await passTime(18 * MINUTE)
      await eventually("the order is canceled", async () => {
        await settleDue(store)
        return (await statusOf(orderId)) === "canceled"
      })
      await passTime(DAY)
      await store.simulator.pay(payment.data.transaction_id)
      const problem = await openProblem(store, payment)
      expect(problem).toMatchObject({
        kind: "paid_after_change",
        facts: { exception: "order_canceled", late: true },
        order_id: orderId,
        cart_id: payment.cartId,
        amount: "13200",
      })
      const { data: listed } = await admin.get(`/admin/payment-service/problems/${problem.id}`)
      expect(listed.problem).toMatchObject({
        actions: expect.not.arrayContaining(["place_order"]) as string[],
      })
      expect(await act(admin, problem, "place-order")).toMatchObject({
        status: 400,
        data: { code: "order_canceled" },
      })
      const back = await act(admin, problem, "refunded-outside", { note: "Sent back" })
      expect(back.data).toMatchObject({ problem: { resolution: "refunded_outside" } })
      expect((await rowOf(store, payment)).handled_at).not.toBeNull()
      expect(await listedProblems(admin, "status=open")).toEqual([])
    })

    it("left unpaid because another way to pay was begun: a person is asked, until it is canceled (promise 7)", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      await offerSystemProvider(store)
      await openElsewhere(shopper, payment)
      const open = `status=open&order_id=${orderId}`
      expect(await listedProblems(admin, open)).toEqual([])
      await passTime(18 * MINUTE)
      const unpaid = await openProblem(store, payment)
      expect(unpaid).toMatchObject({ kind: "order_unpaid", order_id: orderId })
      expect(await statusOf(orderId)).toBe("pending")
      expect((await admin.post(`/admin/orders/${orderId}/cancel`)).status).toBe(200)
      await reportMissed(settlePortsOf(store.container))
      expect(await listedProblems(admin, open)).toEqual([])
    })

    it("placed before a payment of another sum, which a person handled: what it owes is told until it is canceled (promises 7 and 8)", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      store.simulator.edit(payment.data.transaction_id, { amount: 2000 })
      await store.simulator.pay(payment.data.transaction_id)
      const less = await openProblem(store, payment)
      expect(less).toMatchObject({ kind: "amount_differs" })
      expect((await act(admin, less, "handle", { note: "Given back" })).status).toBe(200)
      const open = `status=open&order_id=${orderId}`
      expect(await listedProblems(admin, open)).toMatchObject([{ kind: "order_underpaid" }])
      expect((await admin.post(`/admin/orders/${orderId}/cancel`)).status).toBe(200)
      await eventually("nothing is owed any more", async () => {
        return (await listedProblems(admin, open)).length === 0
      })
    })

    it("has a cart that was edited while its payment was started in another tab: no order for the old sum, and one for the new sum (promise 4)", async () => {
      const { id: cartId } = await shopper.cart()
      const payments = store.container.resolve(Modules.PAYMENT)
      const create = payments.createPaymentSession.bind(payments)
      // Core has read what the cart is worth, and has not written the session yet.
      const creating = jest.spyOn(payments, "createPaymentSession")
      creating.mockImplementationOnce(async (...session) => {
        expect((await shopper.addItem(cartId, 1)).status).toBe(200)
        return await create(...session)
      })
      const old = await shopper.open(cartId)
      creating.mockRestore()
      expect(old.data.amount).toBe("2290.00")
      expect(await shopper.complete(cartId)).toMatchObject({
        status: 400,
        data: { message: expect.stringContaining("The cart has changed") },
      })
      expect(await ordersOf(store, cartId)).toEqual([])

      const again = await shopper.open(cartId)
      expect(again.data.amount).toBe("2780.50")
      const orderId = await place(again)
      await payUntilSettled(store, again)
      expect((await expectPaidOrder(store, cartId)).id).toBe(orderId)
    })

    it("its QR and a payment link, settled at once: one is captured, the other was paid twice (promise 2)", async () => {
      await stopWatcher(store)
      const qr = await shopper.checkout("sbp")
      const orderId = await place(qr)
      const asked = { order_id: orderId, amount: 2290 }
      const { data } = await admin.post("/admin/payment-collections", asked)
      const link = await shopper.openIn((data.payment_collection as { id: string }).id, "")
      const both = [qr, link]
      for (const payment of both) {
        await store.simulator.pay(payment.data.transaction_id, { callback: false })
      }
      const rows = await Promise.all(both.map((payment) => rowOf(store, payment)))
      await Promise.all(
        rows.map(({ id }) =>
          settleTransactionWorkflow(store.container).run({ input: { transaction_row_id: id } })
        )
      )
      const order = await findOrder(store, orderId)
      const captures = order.payment_collections
        .flatMap((collection) => collection.payments)
        .flatMap((payment) => payment.captures.map(({ amount }) => Number(amount)))
      expect(captures).toEqual([2290])
      expect(Number(order.summary.pending_difference)).toBe(0)
      const found = await Promise.all(both.map((payment) => rowOf(store, payment)))
      expect(found.map(({ exception }) => exception).sort()).toEqual([null, "paid_twice"].sort())
      expect(await store.module.listProblems({ closed_at: null })).toMatchObject([
        { kind: "paid_twice", order_id: orderId },
      ])
    })
  }
)

/** @returns the fulfillment's id */
async function fulfill(admin: Admin, orderId: string): Promise<string> {
  const { data } = await admin.get(`/admin/orders/${orderId}?fields=*items`)
  const { items } = (data as { order: { items: { id: string; quantity: number }[] } }).order
  const answer = await admin.post(`/admin/orders/${orderId}/fulfillments?fields=*fulfillments`, {
    items: items.map(({ id, quantity }) => ({ id, quantity })),
  })
  expect(answer.status).toBe(200)
  const { order } = answer.data as { order: { fulfillments: { id: string }[] } }
  return order.fulfillments[0]?.id ?? ""
}

async function offerSystemProvider(store: TestStore): Promise<void> {
  await updateRegionsWorkflow(store.container).run({
    input: {
      selector: { id: store.shop.regionId },
      update: { payment_providers: [OTHER_PROVIDER, "pp_sbp_main", "pp_crypto_main"] },
    },
  })
}

/** The shopper takes another provider's way to pay, in the same collection. */
async function openElsewhere(shopper: Shopper, { collectionId }: OpenPayment): Promise<string> {
  const answer = await shopper.raw(
    "post",
    `/store/payment-collections/${collectionId}/payment-sessions`,
    { provider_id: OTHER_PROVIDER }
  )
  expect(answer.status).toBe(200)
  const { payment_collection: collection } = answer.data as {
    payment_collection: { payment_sessions: { id: string; provider_id: string }[] }
  }
  expect(collection.payment_sessions).toMatchObject([{ provider_id: OTHER_PROVIDER }])
  return collection.payment_sessions[0]?.id ?? ""
}

/** A second collection, as an admin makes one to ask for a payment of the order. */
async function addCollection(store: TestStore, orderId: string): Promise<string> {
  const payments = store.container.resolve(Modules.PAYMENT)
  const { total } = await findOrder(store, orderId)
  const collection = await payments.createPaymentCollections({
    currency_code: "rub",
    amount: Number(total),
  })
  await store.container.resolve(ContainerRegistrationKeys.LINK).create({
    [Modules.ORDER]: { order_id: orderId },
    [Modules.PAYMENT]: { payment_collection_id: collection.id },
  })
  return collection.id
}

function lastItem(store: TestStore): string {
  return store.shop.variantIds[LAST_ITEM] ?? ""
}

/** Found by the transaction: a session that was chosen again has another id. */
async function rowOf(store: TestStore, { data }: OpenPayment): Promise<TransactionRow> {
  const row = await store.module.findByTransactionId(data.transaction_id)
  if (!row) throw new Error(`Transaction ${data.transaction_id} has no row`)
  return row
}

async function isClosed(store: TestStore, { sessionId }: OpenPayment): Promise<boolean> {
  const { data } = await store.container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "payment_session",
    fields: ["status"],
    filters: { id: sessionId },
  })
  return (data[0] as { status: string } | undefined)?.status === "canceled"
}

async function reservedOf(store: TestStore, variantId: string): Promise<number> {
  const { data } = await store.container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "variant",
    fields: ["inventory_items.inventory.location_levels.reserved_quantity"],
    filters: { id: variantId },
  })
  const [item] = (data[0] as unknown as Stocked).inventory_items
  return Number(item?.inventory.location_levels[0]?.reserved_quantity)
}

interface Stocked {
  inventory_items: { inventory: { location_levels: { reserved_quantity: unknown }[] } }[]
}

function eventNames(store: TestStore): string[] {
  return store.events.map(({ name }) => name)
}
