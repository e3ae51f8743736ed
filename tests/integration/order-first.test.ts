import type { IOrderModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { updateRegionsWorkflow } from "@medusajs/medusa/core-flows"

import type { ProblemRow, TransactionRow } from "../../src/modules/payment-service"
import { COMPLETION_ID } from "../../src/payments/statements/transactions"
import { finishCompletions } from "../../src/payments/core"
import { reportMissed } from "../../src/payments/report"
import { settlePortsOf } from "../../src/payments/core"
import { type Admin, adminOf } from "./admin"
import { addCredit, cancelExchange, exchange, markAsPaid, sendFirstItem } from "./order-changes"
import { editOrder } from "./order-edits"
import { moneyOfTheOrder } from "./order-first/money"
import { withoutWatcher } from "./passes"
import { act, expectOnlyAsSeen, listedProblems, openProblem } from "./problems-of"
import {
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
    let realClock: TestStore["module"]["clock"]
    beforeEach(() => {
      realClock = store.module.clock
    })
    afterEach(() => {
      store.module.clock = realClock
    })

    /** The store's time goes on, and everything that is due until then is settled. */
    async function passTime(ms: number, atService = ms): Promise<void> {
      // This pass would leave alone the payments that the store's own watcher works on.
      await withoutWatcher(store, async () => {
        const { clock } = store.module
        store.module.clock = { now: () => new Date(clock.now().getTime() + ms) }
        store.simulator.advance(atService)
        await settleDue(store)
      })
    }

    async function place(payment: OpenPayment): Promise<string> {
      const answer = await shopper.complete(payment.cartId)
      expect(answer).toMatchObject({ status: 200, data: { type: "order" } })
      return (answer.data as { order: { id: string } }).order.id
    }

    it("stays when core died before it could ask us, is told of, and takes the money", async () => {
      const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orderId = await place(payment)
      const row = await eventually("the order is on our row", async () => {
        const found = await rowOf(store, payment)
        return found.order_id ? found : null
      })
      // The state of the database when core was killed between linking the order and asking us.
      const sql = store.container.resolve<Sql>(ContainerRegistrationKeys.PG_CONNECTION)
      await sql.raw("update payment_session set status = 'pending' where id = :id", {
        id: payment.sessionId,
      })
      await withoutWatcher(store, async () => {
        const order = await store.container.resolve(Modules.ORDER).retrieveOrder(orderId)
        await store.module.updateTransactions({
          id: row.id,
          order_id: null,
          deferred_at: null,
          completion: {
            beganAt: new Date(Date.now() - 4 * MINUTE).toISOString(),
            id: String(order.metadata?.[COMPLETION_ID]),
            isHeld: false,
            isAsked: false,
          },
        })
        await finishCompletions(store.container)
      })
      expect(await store.module.listProblems({ order_id: orderId })).toMatchObject([
        { kind: "order_half_made", facts: { isLinked: true } },
      ])
      expect((await payToOrder(store, payment)).id).toBe(orderId)
    })

    it("reserves the stock, waits for the money, and takes it once", async () => {
      const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orderId = await place(payment)
      expect(await reservedOf(store, lastItem(store))).toBe(1)
      const pending = await findOrder(store, orderId)
      expect(pending).toMatchObject({ status: "pending", transactions: [] })
      await eventually(
        "the order is on our row",
        async () => (await rowOf(store, payment)).order_id
      )
      expect((await shopper.poll(payment.sessionId)).data).toMatchObject({
        session: { state: "pending", order_id: orderId },
      })

      expect((await payToOrder(store, payment)).id).toBe(orderId)
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

    it("places no order on a promise while a person has the money of another attempt (promise 5)", async () => {
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
    })

    it("places no order for a payment that is declined already", async () => {
      const payment = await shopper.checkout("sbp")
      await store.simulator.decline(payment.data.transaction_id, { callback: false })
      expect((await shopper.complete(payment.cartId)).status).toBe(400)
      expect(await ordersOf(store, payment.cartId)).toEqual([])
    })

    it("keeps order and stock after a decline, and takes another payment for it", async () => {
      const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orderId = await place(payment)
      await store.simulator.decline(payment.data.transaction_id)
      await eventually("the session is closed", async () => isClosed(store, payment))
      expect((await findOrder(store, orderId)).status).toBe("pending")
      expect(await reservedOf(store, lastItem(store))).toBe(1)

      const again = await shopper.openIn(payment.collectionId, payment.cartId, "crypto")
      expect(again.data.transaction_id).not.toBe(payment.data.transaction_id)
      await payUntilSettled(store, again)
      expect((await expectPaidOrder(store, payment.cartId)).id).toBe(orderId)
      // The first one is over; nothing of it touches the order that was paid.
      await passTime(20 * MINUTE)
      expect((await findOrder(store, orderId)).status).toBe("pending")

      await store.simulator.pay(payment.data.transaction_id)
      const problem = await openProblem(store, payment)
      expect(problem).toMatchObject({ kind: "paid_twice", order_id: orderId })
      await expectPaidOrder(store, payment.cartId)
    })

    it.each([
      ["expires", 0],
      ["is declined and its time is over", 1],
    ])("cancels the order and frees the stock when the payment %s", async (_, declined) => {
      const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orderId = await place(payment)
      if (declined) {
        await store.simulator.decline(payment.data.transaction_id)
        await eventually("the session is closed", async () => isClosed(store, payment))
      }
      await passTime(18 * MINUTE)
      const order = await eventually("the order is canceled", async () => {
        await settleDue(store)
        const found = await findOrder(store, orderId)
        return found.status === "canceled" ? found : null
      })
      expect(order.transactions).toEqual([])
      expect(await reservedOf(store, lastItem(store))).toBe(0)
      expect(await isClosed(store, payment)).toBe(true)
      expect(await listedProblems(admin)).toEqual([])
    })

    it("cancels after the usual time when the service names none and says nothing", async () => {
      // All its answers say 00:00:00, and PENDING all the same.
      store.simulator.configure({ autoExpire: false, expiresInSeconds: 0 })
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      await passTime(50 * MINUTE, 0)
      expect((await findOrder(store, orderId)).status).toBe("pending")
      await passTime(15 * MINUTE, 0)
      expect((await rowOf(store, payment)).status).toBe("PENDING")
      expect((await findOrder(store, orderId)).status).toBe("canceled")
    })

    it("cancels what the service has forgotten, an hour after its time was over (promise 7)", async () => {
      const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
      const orderId = await place(payment)
      store.simulator.fault({ on: "get", kind: "status", status: 404, times: Infinity })
      await passTime(60 * MINUTE)
      expect((await findOrder(store, orderId)).status).toBe("pending")
      await passTime(20 * MINUTE)
      expect((await findOrder(store, orderId)).status).toBe("canceled")
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
      expect((await findOrder(store, orderId)).status).toBe("pending")
      await store.simulator.pay(id)
      await settledRow(store, payment.sessionId)
      expect((await findOrder(store, orderId)).status).toBe("pending")
    })

    it("cancels though another payment came that a person has taken care of", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      const again = await shopper.openIn(payment.collectionId, payment.cartId, "crypto")
      store.simulator.edit(again.data.transaction_id, { amount: 1 })
      await store.simulator.pay(again.data.transaction_id)
      const problem = await openProblem(store, again)
      expect(problem.kind).toBe("amount_differs")
      expect((await act(admin, problem, "handle", { note: "Sent back" })).status).toBe(200)
      await passTime(18 * MINUTE)
      expect((await findOrder(store, orderId)).status).toBe("canceled")
    })

    it("does not cancel while another payment for it may still come", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      await passTime(10 * MINUTE)
      const again = await shopper.openIn(payment.collectionId, payment.cartId, "crypto")
      await passTime(9 * MINUTE)
      // The store's own watcher may be at it, and then this pass leaves it alone.
      await eventually("the first one has expired", async () => {
        await settleDue(store)
        return (await rowOf(store, payment)).state === "expired"
      })
      expect((await findOrder(store, orderId)).status).toBe("pending")
      await payUntilSettled(store, again)
      expect((await expectPaidOrder(store, payment.cartId)).id).toBe(orderId)
    })

    it("does not cancel while the order is being paid in a way that is not ours", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      await offerSystemProvider(store)
      const other = await openElsewhere(shopper, payment)
      await passTime(18 * MINUTE)
      expect((await rowOf(store, payment)).state).toBe("expired")
      expect((await findOrder(store, orderId)).status).toBe("pending")

      const payments = store.container.resolve(Modules.PAYMENT)
      const session = await payments.retrievePaymentSession(other)
      await payments.updatePaymentSession({
        id: other,
        data: {},
        amount: session.amount,
        currency_code: session.currency_code,
        status: "canceled",
      })
      await passTime(10 * MINUTE)
      expect((await findOrder(store, orderId)).status).toBe("canceled")
    })

    describe("covered in another way while its QR is open (promise 7)", () => {
      const book = async (orderId: string, amount: number) => {
        await store.container.resolve<IOrderModuleService>(Modules.ORDER).addOrderTransactions({
          order_id: orderId,
          amount,
          currency_code: "rub",
          reference: "terminal",
          reference_id: `terminal_${amount}`,
        })
      }
      it.each([
        ["a credit", (id: string, sum: number) => addCredit(admin, id, sum)],
        ["a booking", book],
        [
          "a collection that is marked as paid",
          (id: string, sum: number) => markAsPaid(admin, id, sum),
        ],
      ])("by %s: kept when the QR expires, and a person is told of a rest", async (_, cover) => {
        const [whole, part] = [await shopper.checkout("sbp"), await shopper.checkout("sbp")]
        const [covered, owing] = [await place(whole), await place(part)]
        await cover(covered, 2290)
        await cover(owing, 2190)
        await passTime(18 * MINUTE)
        await eventually("both QRs are closed", async () => {
          await settleDue(store)
          return (await isClosed(store, whole)) && (await isClosed(store, part))
        })
        await passTime(10 * MINUTE)
        for (const id of [covered, owing]) {
          expect((await findOrder(store, id)).status).toBe("pending")
        }
        expect(await store.module.listProblems({ order_id: covered })).toEqual([])
        expect(await openProblem(store, part)).toMatchObject({
          kind: "order_unpaid",
          order_id: owing,
          message: expect.stringContaining("100 RUB are owed") as string,
        })
        await cover(owing, 100)
        await reportMissed(settlePortsOf(store.container))
        expect(await listedProblems(admin, "status=open")).toEqual([])
      })
    })

    describe("says why money that came is not needed any more", () => {
      async function told(payment: OpenPayment): Promise<string> {
        await store.simulator.pay(payment.data.transaction_id)
        const problem = await openProblem(store, payment)
        expect(problem.kind).toBe("paid_twice")
        return problem.message
      }

      it("the order is to be paid on delivery", async () => {
        await offerSystemProvider(store)
        const payment = await shopper.checkout("sbp")
        await openElsewhere(shopper, payment)
        const { status } = await shopper.complete(payment.cartId)
        expect(status).toBe(200)
        expect(await told(payment)).toContain("to be paid in another way, for example on delivery")

        // The money can be taken in place of the promise (promises 4 and 8).
        const problem = await openProblem(store, payment)
        const [listed] = await listedProblems(admin, `q=${payment.data.transaction_id}`)
        expect(listed?.actions).toContain("take_instead")
        await expectOnlyAsSeen({ store, admin }, problem, "take-instead", {
          codes: { amount: "other_sum_paid" },
        })
        const answers = await Promise.all([
          act(admin, problem, "take-instead"),
          act(admin, problem, "take-instead"),
        ])
        expect(answers.map(({ status }) => status)).toContain(200)
        const { order_id: orderId } = await settledRow(store, payment.sessionId)
        expect(Number((await findOrder(store, orderId ?? "")).summary.pending_difference)).toBe(0)
        const payments = await store.container
          .resolve(Modules.PAYMENT)
          .listPayments({ payment_collection_id: payment.collectionId } as object)
        expect(
          payments.map(({ provider_id: id, canceled_at: canceled, captured_at: captured }) => ({
            id,
            end: canceled ? "canceled" : captured ? "captured" : "promised",
          }))
        ).toEqual(
          expect.arrayContaining([
            { id: OTHER_PROVIDER, end: "canceled" },
            { id: "pp_sbp_main", end: "captured" },
          ])
        )
        expect(await listedProblems(admin, `q=${payment.data.transaction_id}&status=open`)).toEqual(
          []
        )
      })

      it("the order was to be paid on delivery and is canceled by now: it is not taken instead", async () => {
        await offerSystemProvider(store)
        const payment = await shopper.checkout("sbp")
        await openElsewhere(shopper, payment)
        await shopper.complete(payment.cartId)
        await told(payment)
        const [orderId] = await ordersOf(store, payment.cartId)
        const problem = await openProblem(store, payment)
        expect((await admin.post(`/admin/orders/${orderId}/cancel`)).status).toBe(200)
        const { data, status } = await act(admin, problem, "take-instead")
        // It may come when the problem says so already.
        expect([status, data.code]).toEqual([
          400,
          expect.stringMatching(/^(order_canceled|other_actions)$/),
        ])
        expect(await ordersOf(store, payment.cartId)).toHaveLength(1)
      })

      it("the order was edited to nothing", async () => {
        const payment = await shopper.checkout("sbp", { freeShipping: true })
        const orderId = await place(payment)
        await editOrder(store, admin, orderId, "take away")
        expect(await told(payment)).toContain("was changed, and nothing is owed on it")
      })

      it("the exchange that it was for was canceled", async () => {
        const payment = await shopper.checkout("sbp")
        const orderId = await place(payment)
        await payUntilSettled(store, payment)
        await sendFirstItem(admin, orderId)
        const outbound = { variant_id: store.shop.variantIds[1], quantity: 6 }
        const exchanged = await exchange(admin, orderId, outbound)
        const { payment_collections } = await findOrder(store, orderId)
        const unpaid = payment_collections.find(({ status }) => status === "not_paid")
        const rest = await shopper.openIn(unpaid?.id ?? "", "")
        await cancelExchange(admin, exchanged)
        expect(await told(rest)).toContain("was changed, and nothing is owed on it")
      })

      it("the order was paid in another way", async () => {
        const payment = await shopper.checkout("sbp")
        await markAsPaid(admin, await place(payment), 2290)
        expect(await told(payment)).toContain("was paid in another way meanwhile")
        const problem = await openProblem(store, payment)
        const { data, status } = await act(admin, problem, "take-instead")
        expect([status, data.type]).toEqual([400, "not_allowed"])
      })
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
      expect((await findOrder(store, orderId)).status).toBe("pending")

      await passTime(10 * MINUTE)
      expect((await rowOf(store, again)).state).toBe("expired")
      expect((await findOrder(store, orderId)).status).toBe("canceled")
    })

    it("takes the new sum of an order that was edited before it was paid", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      await eventually(
        "the order is on our row",
        async () => (await rowOf(store, payment)).order_id
      )
      await addToOrder(admin, orderId, store.shop.variantIds[0] ?? "")
      const again = await shopper.openIn(payment.collectionId, payment.cartId, "sbp")
      expect(Number(again.data.amount)).toBeGreaterThan(Number(payment.data.amount))
      await payUntilSettled(store, again)
      expect((await expectPaidOrder(store, payment.cartId)).id).toBe(orderId)
    })

    describe("edited while its payment was open", () => {
      /** The order's first total is paid, and 490.50 more are owed. */
      async function paidInPart() {
        const payment = await shopper.checkout("sbp")
        const orderId = await place(payment)
        await eventually(
          "the order is on our row",
          async () => (await rowOf(store, payment)).order_id
        )
        await addToOrder(admin, orderId, store.shop.variantIds[1] ?? "")
        return { payment, orderId }
      }
      async function pay({ data, sessionId }: OpenPayment): Promise<void> {
        await payUntilSettled(store, { data, sessionId })
      }

      it("takes the rest by another payment, asked for where the first one was", async () => {
        const { payment, orderId } = await paidInPart()
        await pay(payment)
        expect(Number((await findOrder(store, orderId)).summary.pending_difference)).toBe(490.5)
        const problem = await openProblem(store, payment)
        expect(problem).toMatchObject({
          kind: "order_underpaid",
          order_id: orderId,
          amount: "490.5",
          message: expect.stringContaining("worth 2,780.50 RUB, and 2,290 RUB were paid"),
        })

        const rest = await shopper.openIn(payment.collectionId, payment.cartId, "sbp")
        expect(rest.data.amount).toBe("490.50")
        const asked = await Promise.all([
          shopper.choose(payment.collectionId, "sbp"),
          shopper.choose(payment.collectionId, "sbp"),
        ])
        expect(asked.map(({ status }) => status)).toEqual([200, 200])
        const { session_id } = await rowOf(store, rest)
        await pay({ ...rest, sessionId: session_id })
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

      it("asks for nothing that another payment, which is not taken yet, may cover", async () => {
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
        await settledRow(store, payment.sessionId)
      })

      it("asks for no more than it is owed", async () => {
        const { payment, orderId } = await paidInPart()
        const other = await addCollection(store, orderId)
        await pay(payment)
        expect(await shopper.choose(other, "sbp")).toMatchObject({
          status: 400,
          data: {
            code: "more_than_owed",
            message: expect.stringContaining("Only 490.50 RUB are still to be paid"),
          },
        })
        const rest = await shopper.openIn(payment.collectionId, payment.cartId, "sbp")
        expect(rest.data.amount).toBe("490.50")
      })
    })

    describe("sent before its payment, whose time is over", () => {
      async function sentAndNotPaid() {
        const payment = await shopper.checkout("sbp")
        const orderId = await place(payment)
        const fulfillmentId = await fulfill(admin, orderId)
        await passTime(18 * MINUTE)
        // A settle that the order's events have begun may hold the payment, and then this pass leaves it alone.
        await eventually("the session is closed", async () => isClosed(store, payment))
        return { payment, orderId, fulfillmentId }
      }

      async function givenUp() {
        const sent = await sentAndNotPaid()
        expect(await listedProblems(admin)).toEqual([])
        for (const pause of [10 * MINUTE, 60 * MINUTE, 6 * 60 * MINUTE]) await passTime(pause)
        const problem = await openProblem(store, sent.payment)
        expect(problem).toMatchObject({
          kind: "order_unpaid",
          order_id: sent.orderId,
          message: expect.stringMatching(/order_.* was not paid in time.*fulfillments/i) as string,
        })
        return { ...sent, problem }
      }

      it("asks a person, and is canceled when they try again after it has come back", async () => {
        const { orderId, fulfillmentId, problem } = await givenUp()
        // The payment is over, though the order is not.
        await eventually("the event", async () =>
          store.events.some(
            ({ name, data }) =>
              name === "payment_service.transaction_settled" && data.new_state === "expired"
          )
        )
        const back = `/admin/orders/${orderId}/fulfillments/${fulfillmentId}/cancel`
        expect((await admin.post(back)).status).toBe(200)
        expect((await act(admin, problem, "retry")).status).toBe(200)
        expect((await findOrder(store, orderId)).status).toBe("canceled")
        expect(await listedProblems(admin, "status=open")).toEqual([])
      })

      it("is nobody's business any more when it is paid after all", async () => {
        const { payment, orderId } = await givenUp()
        await payUntilSettled(store, payment)
        await reportMissed(settlePortsOf(store.container))
        expect((await expectPaidOrder(store, payment.cartId)).id).toBe(orderId)
        expect(await listedProblems(admin, "status=open")).toEqual([])
      })

      it("is asked about once: what a person handled stays closed", async () => {
        const { orderId, problem } = await givenUp()
        const handled = await act(admin, problem, "handle", { note: "Paid in cash" })
        expect(handled.data).toMatchObject({ problem: { resolution: "handled" } })
        await passTime(DAY)
        await reportMissed(settlePortsOf(store.container))
        expect(await listedProblems(admin, "status=open")).toEqual([])
        expect((await findOrder(store, orderId)).status).toBe("pending")
      })
    })

    it("takes money that comes a second late, before the order is canceled", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      await passTime(15 * MINUTE + 1_000)
      const row = await payUntilSettled(store, payment)
      expect(row).toMatchObject({ paid_late: true, order_id: orderId })
      await expectPaidOrder(store, payment.cartId)
    })

    describe("paid a day after the order was canceled", () => {
      async function paidTooLate(): Promise<{
        payment: OpenPayment
        orderId: string
        problem: ProblemRow
      }> {
        const payment = await shopper.checkout("sbp", { variantId: lastItem(store) })
        const orderId = await place(payment)
        await passTime(18 * MINUTE)
        await eventually("the order is canceled", async () => {
          await settleDue(store)
          return (await findOrder(store, orderId)).status === "canceled"
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
        return { payment, orderId, problem }
      }

      it("no order is made of it, and it is paid back outside", async () => {
        const { payment, problem } = await paidTooLate()
        expect(await act(admin, problem, "place-order")).toMatchObject({
          status: 400,
          data: { code: "not_acceptable" },
        })
        const listed = await admin.get(`/admin/payment-service/problems/${problem.id}`)
        expect(listed.data.problem).toMatchObject({
          actions: expect.not.arrayContaining(["place_order"]) as string[],
        })
        const back = await act(admin, problem, "refunded-outside", { note: "Sent back" })
        expect(back.data).toMatchObject({ problem: { resolution: "refunded_outside" } })
        expect((await rowOf(store, payment)).handled_at).not.toBeNull()
        expect(await ordersOf(store, payment.cartId)).toHaveLength(1)
        expect(await listedProblems(admin, "status=open")).toEqual([])
      })
    })

    it("paid after the canceled order was archived: still a canceled order", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      expect((await admin.post(`/admin/orders/${orderId}/cancel`)).status).toBe(200)
      expect((await admin.post(`/admin/orders/${orderId}/archive`)).status).toBe(200)
      expect((await findOrder(store, orderId)).status).toBe("archived")
      await store.simulator.pay(payment.data.transaction_id)
      const problem = await openProblem(store, payment)
      expect(problem).toMatchObject({ kind: "paid_after_change", order_id: orderId })
      expect((await findOrder(store, orderId)).transactions).toEqual([])
      const again = await shopper.choose(payment.collectionId, "crypto")
      expect(again.status).toBe(400)
    })

    it("left unpaid although another way to pay was begun: a person is asked, until the order is canceled", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      await offerSystemProvider(store)
      await openElsewhere(shopper, payment)
      expect(await listedProblems(admin, `order_id=${orderId}`)).toEqual([])
      await passTime(18 * MINUTE)
      const unpaid = await openProblem(store, payment)
      expect(unpaid).toMatchObject({ kind: "order_unpaid", order_id: orderId })
      expect((await findOrder(store, orderId)).status).toBe("pending")
      expect((await admin.post(`/admin/orders/${orderId}/cancel`)).status).toBe(200)
      await reportMissed(settlePortsOf(store.container))
      expect(await listedProblems(admin, `status=open&order_id=${orderId}`)).toEqual([])
    })

    it("goes on watching when an admin cancels the order while the QR can still be paid", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      expect((await admin.post(`/admin/orders/${orderId}/cancel`)).status).toBe(200)
      expect((await rowOf(store, payment)).watch_at).not.toBeNull()
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      await passTime(MINUTE)
      const problem = await openProblem(store, payment)
      expect(problem).toMatchObject({ kind: "paid_after_change", order_id: orderId })
      expect((await findOrder(store, orderId)).transactions).toEqual([])
      expect((await shopper.poll(payment.sessionId)).data).toMatchObject({
        session: { state: "problem" },
      })
    })

    it("less than asked for: nothing is captured until an admin accepts it for the order", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      store.simulator.edit(payment.data.transaction_id, { amount: 2000 })
      await store.simulator.pay(payment.data.transaction_id)
      const problem = await openProblem(store, payment)
      expect(problem).toMatchObject({ kind: "amount_differs", order_id: orderId })
      expect((await act(admin, problem, "accept-amount")).status).toBe(200)
      const order = await findOrder(store, orderId)
      expect(order.transactions.map(({ amount }) => Number(amount))).toEqual([2000])
      expect(Number(order.summary.pending_difference)).toBe(290)
    })

    it("captures once, however many come with the news at the same time", async () => {
      const payment = await shopper.checkout("sbp")
      const orderId = await place(payment)
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      await Promise.all([
        store.simulator.sendCallback(payment.data.transaction_id),
        store.simulator.sendCallback(payment.data.transaction_id),
        shopper.poll(payment.sessionId),
        shopper.comeBack(payment.sessionId),
        shopper.complete(payment.cartId),
        settleDue(store),
      ])
      await settledRow(store, payment.sessionId)
      expect((await expectPaidOrder(store, payment.cartId)).id).toBe(orderId)
    })

    describe("its money", () => {
      moneyOfTheOrder(store)
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

async function addToOrder(admin: Admin, orderId: string, variantId: string): Promise<void> {
  for (const [address, body] of [
    ["", { order_id: orderId }],
    [`/${orderId}/items`, { items: [{ variant_id: variantId, quantity: 1 }] }],
    [`/${orderId}/confirm`, {}],
  ] as const) {
    expect((await admin.post(`/admin/order-edits${address}`, body)).status).toBe(200)
  }
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

async function rowOf(
  store: TestStore,
  payment: OpenPayment,
  rowId?: string
): Promise<TransactionRow> {
  const row = rowId
    ? await store.module.retrieveTransaction(rowId)
    : await store.module.findByTransactionId(payment.data.transaction_id)
  if (!row) throw new Error("no row")
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

interface Sql {
  raw(statement: string, values: Record<string, unknown>): Promise<unknown>
}
