import { parse } from "csv-parse/sync"

import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import type { ProblemRow } from "../../src/modules/payment-service"
import { settlePortsOf } from "../../src/payments/ports"
import { reportMissed } from "../../src/payments/start-due-work"
import { diesAt } from "./at-labelled-points"
import { coreFailsAtTheEnd } from "./core-fails-at-the-end"
import { editOrder } from "./order-edits"
import { askedRefunds } from "./payout-refunds/asked"
import { payoutsForAnOrder } from "./payout-refunds/for-an-order"
import { refundsByPayout } from "./payout-refunds/refunds-by-payout"
import { setClockAhead, stopWatcher } from "./passes"
import { CARDS, NUMBER, type Payout, payoutsWith, send, signedIn } from "./payouts/payouts-of"
import { dump } from "./payouts/typed-numbers"
import { act } from "./problems-of"
import { proofs } from "./proofs"
import { reconcileNow } from "./reconcile-now"
import { findOrder, type OpenPayment, ordersOf } from "./shopper"
import { describeStore, eventually } from "./store"
import { tryUntilAPersonIsAsked } from "./try-until-a-person-is-asked"
import { untilTheTestEnds } from "./until-the-test-ends"

const SIGNING_SECRET = "signing-secret-of-the-tests"
const NOTE = { note: "Cash" }
const MINUTE = 60_000

describeStore(
  "refunds by payout (promise 18)",
  {
    simulator: { signingSecret: SIGNING_SECRET },
    env: { PAYMENT_SERVICE_SIGNING_SECRET: SIGNING_SECRET },
    configure: ({ modules }) => {
      Object.assign(modules.payment_service?.options ?? {}, payoutsWith())
    },
    paidOrders: 1,
  },
  (store) => {
    const refunds = refundsByPayout(store)
    const { admin, shopper, pay, buy, ask, open, problemOf, seen, done, refused } = refunds
    const { recordedOnly, isBookedLater } = refunds
    const { refundDue, paidTooMuch, paidForNothing, paidOther } = refunds
    const { owed, refundsOf, bookingsOf, openRest, isEven, people, tried } = refunds
    let { anna } = people
    beforeEach(() => {
      ;({ anna } = people)
    })

    const draftFor = ({ id }: ProblemRow, amount: number, body: object = {}) =>
      refunds.draftFor({ amount, problem_id: id, ...body })
    const isNotSent = async (payout: Payout, code: string) => {
      const { status, data } = await send(anna, payout)
      expect([status, data.code]).toEqual([400, code])
    }
    const triedFor = ({ id }: ProblemRow, amount: number) => tried({ amount, problem_id: id })
    const paidOut = ({ id }: ProblemRow, amount: number) =>
      refunds.paidOut({ amount, problem_id: id })

    it("pays out the rubles of 1199.99, and notes the kopecks", async () => {
      const { paid, due } = await refundDue(1199.99)
      expect(await seen(due)).toMatchObject({
        amount: "1199.99",
        actions: ["pay_out", "refunded_outside", "handle"],
        pay_out: { left: "1199.99", parts: [1199], rest: "0.99", account: "main", drafts: "0.00" },
      })
      const tooMuch = await triedFor(due, 1_200)
      expect([tooMuch.status, tooMuch.data.code]).toEqual([400, "above_refund"])
      expect((await draftFor(due, 1_100, { order_id: "order_other" })).data.code).toBe(
        "order_differs"
      )
      const payout = await paidOut(due, 1_199)
      expect(payout).toMatchObject({ state: "created", order_id: paid.orderId, problem_id: due.id })

      // It proves the refund, which Medusa books at once.
      expect(await refundsOf(paid)).toEqual([1199])
      const now = await seen(due)
      expect(now).toMatchObject({
        amount: "0.99",
        actions: ["refunded_outside", "handle"],
        pay_out: { left: "0.99", parts: [], rest: "0.99" },
      })
      expect(now.messages.en).toMatch(/^₽0\.99 /)
      await refused(due, "refunded-outside", { ...NOTE, amount: 1199.99 })
      await done(due, "refunded-outside", { ...NOTE, amount: "0.99" })
      expect(await refundsOf(paid)).toEqual([1199, 0.99])
      expect(await open(paid)).toEqual([])
      expect(await bookingsOf(paid)).toEqual([-1199, -0.99, 2290])
    })

    it("pays out 200,000 as three payouts, and books each of them", async () => {
      const paid = await buy(101)
      await ask(paid, 200_000)
      const due = await problemOf(paid, "refund_due")
      const { pay_out: plan } = await seen(due)
      expect(plan).toMatchObject({ parts: [87_500, 87_500, 25_000], rest: "0.00" })
      for (const part of plan?.parts ?? []) await paidOut(due, part)
      expect((await draftFor(due, 1_000)).data.code).toBe("problem_closed")
      expect(await refundsOf(paid)).toEqual([87_500, 87_500, 25_000])
      expect(await open(paid)).toEqual([])
      // A request that comes afterwards is another refund.
      await ask(paid, 1_000)
      expect(await seen(await problemOf(paid, "refund_due"))).toMatchObject({
        pay_out: { left: "1000.00", parts: [1_000] },
      })
    })

    it("pays back money without an order, which is left alone from then on", async () => {
      const { payment, problem } = await paidForNothing()
      expect(await seen(problem)).toMatchObject({
        actions: ["place_order", "pay_out", "refunded_outside", "retry", "handle"],
        pay_out: { left: "2290.00", parts: [2_290], rest: "0.00", account: "main" },
      })
      await paidOut(problem, 2_290)
      // The order would be for money that has gone back.
      await refused(problem, "place-order")
      await refused(problem, "retry")
      await admin.post(`/admin/payment-service/transactions/${payment.data.transaction_id}/settle`)
      expect(await ordersOf(store, payment.cartId)).toEqual([])
      const [row] = await store.module.listTransactions({ id: problem.transaction_row_id ?? "" })
      expect(row).toMatchObject({ handled: { as: "paid", amount: "2290" }, settled_at: null })
      expect(await proofs(store)).toMatchObject([{ kind: "payout", amount: "2290" }])
      expect(await open(payment)).toEqual([])
    })

    it("pays back the rubles of another sum than was asked for, and the kopecks outside", async () => {
      const { payment, problem } = await paidOther(1_999.5)
      expect(await seen(problem)).toMatchObject({
        kind: "amount_differs",
        pay_out: { left: "1999.50", parts: [1_999], rest: "0.50" },
      })
      expect(await paidOut(problem, 1_999)).toMatchObject({ state: "created" })
      expect(await seen(problem)).toMatchObject({
        amount: "0.5",
        closed_at: null,
        pay_out: { left: "0.50", parts: [], rest: "0.50" },
      })
      await refused(problem, "accept-amount")
      await done(problem, "refunded-outside", { ...NOTE, amount: "0.50" })
      const given = await proofs(store)
      expect(given.map(({ kind, amount }) => [kind, amount])).toEqual([
        ["payout", "1999"],
        ["outside", "0.5"],
      ])
      await admin.post(`/admin/payment-service/transactions/${payment.data.transaction_id}/settle`)
      expect(await open(payment)).toEqual([])
      expect(await ordersOf(store, payment.cartId)).toEqual([])
    })

    /** Core has authorized the session, and then fails until `goOn`. */
    const takenWithoutOrder = async () => {
      const payment = await shopper.checkout("sbp")
      const goOn = coreFailsAtTheEnd(store)
      await store.simulator.pay(payment.data.transaction_id)
      await tryUntilAPersonIsAsked(store, payment)
      return { payment, problem: await problemOf(payment, "paid_without_order"), goOn }
    }

    it("pays back money that Medusa took for an order that it could not finish, and places no order for it", async () => {
      const { payment, problem, goOn } = await takenWithoutOrder()
      await paidOut(problem, 2_290)
      goOn()
      await admin.post(`/admin/payment-service/transactions/${payment.data.transaction_id}/settle`)
      expect((await shopper.complete(payment.cartId)).status).toBe(400)
      expect(await ordersOf(store, payment.cartId)).toEqual([])
      await reportMissed(settlePortsOf(store.container))
      expect(await open(payment)).toEqual([])

      // The cart can be paid again, once.
      const again = await shopper.open(payment.cartId)
      await pay(again)
      const [orderId, ...others] = await ordersOf(store, payment.cartId)
      expect(others).toEqual([])
      const { summary } = await findOrder(store, orderId ?? "")
      expect(Number(summary.pending_difference)).toBe(0)
      expect(await open(again)).toEqual([])
    })

    // Core finishes such an order without asking whether the money is still there.
    describe.each(["before", "after"])(
      "a payout whose sending comes %s the mark of a completion",
      (moment) => {
        it("is either sent, or the order is placed", async () => {
          const { payment, problem, goOn } = await takenWithoutOrder()
          goOn()
          const { payout } = (await draftFor(problem, 2_290)).data
          const { completionMarks } = store.module
          const begin = completionMarks.begin.bind(completionMarks)
          let sent: Awaited<ReturnType<typeof send>> | undefined
          const sendOnce = async () => (sent ??= await send(anna, payout))
          const marking = jest
            .spyOn(completionMarks, "begin")
            .mockImplementation(async (...asked) => {
              if (moment === "before") await sendOnce()
              const isBegun = await begin(...asked)
              if (moment === "after") await sendOnce()
              return isBegun
            })
          untilTheTestEnds(() => marking.mockRestore())
          const { status } = await shopper.complete(payment.cartId)
          const orders = await ordersOf(store, payment.cartId)
          const isSent = moment === "before"
          expect([sent?.status, status, orders.length]).toEqual(
            isSent ? [200, 400, 0] : [400, 200, 1]
          )
          if (!isSent) expect(sent?.data.code).toBe("being_completed")
        })
      }
    )

    it("asks for no more than the rest when more came of money that went back by payout", async () => {
      const { payment, problem } = await paidForNothing()
      await paidOut(problem, 2_290)
      const { transaction_id: id } = payment.data
      store.simulator.edit(id, { amount: 3_290.5 })
      await admin.post(`/admin/payment-service/transactions/${id}/settle`)
      const changed = await problemOf(payment, "changed_since_handled")
      expect(changed.amount).toBe("3290.5")
      expect(await seen(changed)).toMatchObject({ amount: "1000.5" })
      await refused(changed, "refunded-outside", { ...NOTE, amount: "3290.5" })
      await done(changed, "refunded-outside", { ...NOTE, amount: "1000.50" })
      const given = await proofs(store)
      expect(given.map(({ kind, amount }) => [kind, amount])).toEqual([
        ["payout", "2290"],
        ["outside", "1000.5"],
      ])
      expect(await open(payment)).toEqual([])
    })

    it("looks after money without an order again when the payout was rejected or not sent", async () => {
      const { problem } = await paidForNothing()
      const handledAt = async () =>
        (await store.module.retrieveTransaction(problem.transaction_row_id ?? "")).handled_at
      store.simulator.fault({ on: "payout", kind: "status", status: 400 })
      expect(await paidOut(problem, 2_290)).toMatchObject({ state: "rejected" })
      expect(await handledAt()).toBeNull()
      expect(await seen(problem)).toMatchObject({ pay_out: { left: "2290.00", parts: [2_290] } })

      store.simulator.fault({ on: "payout", kind: "drop_before" })
      const lost = await paidOut(problem, 2_290)
      expect(lost.state).toBe("unknown")
      expect(await handledAt()).not.toBeNull()
      for (const [action, body] of [
        ["handle", NOTE],
        ["refunded-outside", NOTE],
        ["place-order", {}],
      ] as const) {
        const refused = await act(admin, problem, action, body)
        expect(refused).toMatchObject({
          status: 400,
          data: { message: expect.stringContaining("Payouts of ₽2,290.00 for it are under way") },
        })
      }
      expect((await triedFor(problem, 1_000)).data.code).toBe("above_refund")
      await anna.post(`payouts/${lost.id}/mark`, { sent: false, note: "Not there" })
      expect(await handledAt()).toBeNull()
      const answer = await act(admin, problem, "place-order")
      expect(answer).toMatchObject({ status: 200, data: { problem: { resolution: "accepted" } } })
    })

    it("pays back what an order was paid too much, to the last ruble and no more", async () => {
      const { paid, excess } = await paidTooMuch()
      expect(excess).toMatchObject({ amount: "3980", order_id: paid.orderId })
      expect((await triedFor(excess, 3_981)).data.code).toBe("above_refund")
      await paidOut(excess, 3_980)
      expect(await refundsOf(paid)).toEqual([3_980])
      await isEven(paid)
      expect(await owed(paid)).toBe(0)
    })

    /** Pays what an edit adds to an order. */
    const payMore = async (paid: OpenPayment & { orderId: string }, added: number) => {
      await editOrder(store, admin, paid.orderId, { add: added })
      const last = await openRest(paid)
      await pay(last)
      return last
    }

    /** An order that was paid by two payments, of which the second one paid what an edit had added; that was taken away again. */
    const paidByTwo = async (quantity = 1, added = 1) => {
      const paid = await buy(quantity)
      const last = await payMore(paid, added)
      await editOrder(store, admin, paid.orderId, "take away")
      await reconcileNow(store)
      const order = await findOrder(store, paid.orderId)
      const [payment] =
        order.payment_collections.find(({ id }) => id === last.collectionId)?.payments ?? []
      return { paid, last: { ...last, orderId: paid.orderId, paymentId: payment?.id ?? "" } }
    }

    it("goes back from the payment that holds it, not from the order's last one", async () => {
      const { paid, last } = await paidByTwo()
      const excess = await problemOf(paid, "paid_twice")
      expect(excess).toMatchObject({ amount: "1990", order_id: paid.orderId })
      await paidOut(excess, 1_990)
      expect(await refundsOf(paid)).toEqual([1_990])
      await isEven(paid, last)
      expect(await owed(paid)).toBe(0)
    })

    it("is of the payment whose refund somebody asked for, and answers that request", async () => {
      const { paid, last } = await paidByTwo(1, 3)
      const before = await problemOf(paid, "paid_twice")
      expect(before).toMatchObject({ amount: "1990" })
      const drafted = await draftFor(before, 1_000)
      await ask(last, 1_400)
      // It is one problem with one number, which is about the other payment now.
      const excess = await problemOf(last, "paid_twice")
      const part = { amount: "1471.5", facts: { excess: { amount: "1990" } } }
      expect(excess).toMatchObject({ id: before.id, ...part })
      expect(await open(paid)).toEqual([])
      // An admin who has not seen that yet records nothing of the first payment.
      const seenBefore = { ...NOTE, amount: before.amount }
      expect((await refused(before, "refunded-outside", seenBefore)).code).toBe("other_sum")
      expect(await refundsOf(paid)).toEqual([])
      // A draft is for the payment that it names.
      await isNotSent(drafted.data.payout, "payment_changed")
      await paidOut(excess, 1_471)
      await reconcileNow(store)
      expect(await refundsOf(last)).toEqual([1_471])
      expect(await open(last)).toEqual([])
      expect(await open(paid)).toMatchObject([{ kind: "paid_twice", amount: "519" }])
    })

    it("sends nothing for money that an order has taken, although the problem is still open", async () => {
      const payment = await shopper.checkout("sbp")
      const { transaction_id: id, amount } = payment.data
      store.simulator.edit(id, { amount: 2_000 })
      await store.simulator.pay(id)
      const less = await problemOf(payment, "amount_differs")
      const made = await draftFor(less, 2_000)
      store.simulator.edit(id, { amount: Number(amount) })
      // It would close the problem.
      await stopWatcher(store)
      await diesAt("apply:recorded", () => act(admin, less, "retry"))
      expect(await store.module.listProblems({ id: less.id, closed_at: null })).toHaveLength(1)
      await isNotSent(made.data.payout, "problem_closed")
      expect(store.simulator.requests({ on: "payout" })).toEqual([])
      expect(await ordersOf(store, payment.cartId)).toHaveLength(1)
    })

    /** A draft for money that can be paid back, by what it is for. */
    const drafts = {
      "a refund that is due": async () => {
        const paid = await buy()
        expect((await admin.post(`/admin/orders/${paid.orderId}/cancel`)).status).toBe(200)
        const made = await draftFor(await problemOf(paid, "refund_due"), 2_000)
        return { id: paid.data.transaction_id, payout: made.data.payout }
      },
      "money that no order took": async () => {
        const { payment, problem } = await paidForNothing()
        const made = await draftFor(problem, 2_000)
        return { id: payment.data.transaction_id, payout: made.data.payout }
      },
    }
    const kinds = Object.keys(drafts) as (keyof typeof drafts)[]
    const openOf = async (transaction_id: string) =>
      (await store.module.listProblems({ transaction_id, closed_at: null })).map(({ kind }) => kind)

    it.each(kinds)("sends nothing for %s that the service took back, unheard", async (kind) => {
      const { id, payout } = await drafts[kind]()
      await store.simulator.setStatus(id, "CANCELED", { callback: false })
      for (let attempt = 1; attempt <= 2; attempt++) {
        const { status, data } = await send(anna, payout)
        expect(status).toBe(400)
        if (attempt === 1) {
          expect(data.code).toBe("taken_back")
          expect(data.messages.en).toContain("No request was made")
          expect(data.messages.ru).toContain("Запрос не отправлен")
        }
      }
      expect(await openOf(id)).toEqual(["reversed"])
      expect(store.simulator.requests({ on: "payout" })).toEqual([])
      expect((await anna.get(`payouts/${payout.id}`)).data.payout.state).toBe("draft")
    })

    it("reads its payment once, and only when it is sent (promise 18)", async () => {
      await store.restartModule(payoutsWith({ approval: true }))
      const boris = await signedIn(store, "Boris")
      const problems = [(await refundDue(2_000)).due, (await paidForNothing()).problem]
      await stopWatcher(store)
      const reads = () => store.simulator.requests({ on: "get" }).length
      for (const due of problems) {
        store.simulator.clearRequests()
        const { payout } = (await draftFor(due, 1_500)).data
        await anna.post(`payouts/${payout.id}`, { amount: 1_600 })
        expect((await boris.post(`payouts/${payout.id}/approve`)).status).toBe(200)
        expect(reads()).toBe(0)
        const sent = await send(anna, payout)
        expect(sent.data.payout).toMatchObject({ state: "created", amount: 1_600 })
        expect(reads()).toBe(1)
      }
    })

    it("sends nothing while the service does not tell of the money", async () => {
      const { id, payout } = await drafts["money that no order took"]()
      store.simulator.fault({ on: "get", kind: "status", status: 503, times: 10 })
      await isNotSent(payout, "not_confirmed")
      store.simulator.clearFaults()
      await store.simulator.setStatus(id, "PENDING", { callback: false })
      await isNotSent(payout, "not_confirmed")
      expect(store.simulator.requests({ on: "payout" })).toEqual([])

      await store.simulator.setStatus(id, "CONFIRMED", { callback: false })
      const sent = await send(anna, payout)
      expect(sent.data.payout.state).toBe("created")
    })

    it("sends nothing again for money that the service took back, unheard", async () => {
      const { id, payout } = await drafts["money that no order took"]()
      store.simulator.fault({ on: "payout", kind: "drop_before" })
      await send(anna, payout)
      const requests = store.simulator.requests({ on: "payout" }).length
      await store.simulator.setStatus(id, "CANCELED", { callback: false })
      const { status, data } = await send(anna, payout, { again: true })
      expect([status, data.code]).toEqual([400, "taken_back"])
      expect(data.message).toContain("the first request may have gone through")
      expect(store.simulator.requests({ on: "payout" })).toHaveLength(requests)
      expect((await anna.get(`payouts/${payout.id}`)).data.payout.state).toBe("unknown")
    })

    it("sends nothing when the service says another sum, or cannot be asked any more", async () => {
      const { id, payout } = await drafts["a refund that is due"]()
      store.simulator.edit(id, { amount: 290 })
      await isNotSent(payout, "payment_changed")
      expect(await openOf(id)).toContain("amount_differs")
      // The row has the service's sum by now, and no more than that is paid back.
      await isNotSent(payout, "above_refund")

      const knex = store.container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
      await knex("payment_service_transaction").update({ base_url: "https://before.example" })
      await isNotSent(payout, "payment_account_gone")
      expect(store.simulator.requests({ on: "payout" })).toEqual([])
    })

    it("is not closed by a payout of which nobody knows, and by one that a person saw", async () => {
      const { paid, due } = await refundDue(2_000)
      store.simulator.fault({ on: "payout", kind: "drop_after" })
      const lost = await paidOut(due, 2_000)
      expect(lost.state).toBe("unknown")
      expect(await seen(due)).toMatchObject({
        amount: "2000",
        actions: ["refunded_outside", "handle"],
        pay_out: { left: "2000.00", under_way: "2000.00", parts: [] },
      })
      for (const action of ["handle", "refunded-outside"]) {
        expect((await act(admin, due, action, NOTE)).status).toBe(400)
      }
      expect((await triedFor(due, 1_000)).data.code).toBe("above_refund")
      await anna.post(`payouts/${lost.id}/mark`, { sent: true, note: "It is in the account area" })
      expect(await refundsOf(paid)).toEqual([2_000])
      expect(await open(paid)).toEqual([])
    })

    it("is never paid out twice, however many admins do it at once (promise 18)", async () => {
      const boris = await signedIn(store, "Boris")
      const { paid, due } = await refundDue(2_290)
      // A draft reserves nothing, so there is one of each admin.
      const body = { amount: 2_000, problem_id: due.id }
      const drafts: Payout[] = []
      for (const [index, user] of [anna, boris, anna].entries()) {
        const made = await user.post("payouts", { card_id: CARDS[index % 2], ...body })
        drafts.push(made.data.payout)
      }
      // A rejected payout gives the money back.
      store.simulator.fault({ on: "payout", kind: "status", status: 422 })
      const [first, ...others] = drafts as [Payout, Payout, Payout]
      expect((await send(anna, first)).data.payout.state).toBe("rejected")
      const last = await draftFor(due, 2_000)
      const answers = await Promise.all(
        [...others, last.data.payout].map((payout, index) => send(index % 2 ? anna : boris, payout))
      )
      const codes = answers.map(({ status, data }) =>
        status === 200 ? data.payout.state : data.code
      )
      expect(codes.filter((code) => code === "created")).toHaveLength(1)
      expect(store.simulator.requests({ on: "payout" })).toHaveLength(2)
      expect(await refundsOf(paid)).toEqual([2_000])

      // A draft is not sent when the money has gone back in another way.
      const rest = await problemOf(paid, "refund_due")
      const late = await draftFor(rest, 1_000)
      await done(rest, "refunded-outside", NOTE)
      expect((await send(anna, late.data.payout)).data.code).toBe("problem_closed")
      expect(await refundsOf(paid)).toEqual([2_000, 290])
    })

    it("is booked once, although the first attempt ended before the booking (promise 11)", async () => {
      const { paid, due } = await refundDue(1_500.5)
      await paidOut(due, 1_500)
      await recordedOnly("refund:proved", due, { ...NOTE, amount: "0.5" })
      expect((await triedFor(due, 1_000)).data.code).toBe("problem_closed")
      await isBookedLater(paid, [1_500, 0.5])
      expect(await proofs(store)).toHaveLength(2)
    })

    it("is booked once, although Medusa has a refund that a killed process left (promise 11)", async () => {
      const { paid, due } = await refundDue(2_290)
      // Core writes this refund before it asks our provider, and its sum is another one than went back.
      const leaveRefund = async (minutesAgo: number) => {
        const knex = store.container.resolve(ContainerRegistrationKeys.PG_CONNECTION)
        await knex.raw("delete from refund")
        await knex.raw(
          `insert into refund (id, payment_id, amount, raw_amount, created_at)
           values ('ref_left', ?, 1500, '{"value": "1500", "precision": 20}', now() - ? * interval '1 minute')`,
          [paid.paymentId, minutesAgo]
        )
      }
      await leaveRefund(0)
      expect(await done(due, "refunded-outside", NOTE)).toMatchObject({ waits_for_change: true })
      await leaveRefund(5)
      await isBookedLater(paid, [2_290])
      expect(await bookingsOf(paid)).toEqual([-2290, 2290])
    })

    it("is not paid out, too, while a refund outside is proved but not booked", async () => {
      const { paid, due } = await refundDue(2_000)
      const before = await draftFor(due, 2_000)
      await recordedOnly("refund:proved", due, NOTE)
      const sent = await send(anna, before.data.payout)
      expect(sent.data.code).toBe("problem_closed")
      const ofOrder = { amount: 1_000, order_id: due.order_id }
      expect((await tried(ofOrder)).data.code).toBe("no_refund_due")
      await refused(due, "refunded-outside", NOTE)
      await reconcileNow(store)
      expect(await open(paid)).toEqual([])
      await isBookedLater(paid, [2_000])
      expect(await proofs(store)).toHaveLength(1)
    })

    it("books what was paid out although the process ended right after", async () => {
      const { paid, due } = await refundDue(2_000)
      const made = await draftFor(due, 2_000)
      await diesAt("payout:recorded", () => send(anna, made.data.payout))
      setClockAhead(store, 61_000)
      // The event of the payout is sent all the same, and what follows it.
      await eventually("it is booked", async () => (await refundsOf(paid)).length)
      expect(await refundsOf(paid)).toEqual([2_000])
      await eventually("nothing is due", async () => (await open(paid)).length === 0)
    })

    describe("from the order's page", () => {
      payoutsForAnOrder(store, refunds)
    })

    describe("that an admin asks for", () => {
      askedRefunds(store, refunds)
    })

    it("keeps no card number that an admin writes into a note (promise 17)", async () => {
      const spaced = NUMBER.replace(/(\d{4})(?=\d)/g, "$1 ")
      const note = `To ${NUMBER}, ${spaced}, ${spaced.replaceAll(" ", "\u00a0")}`
      const recorded = await paidForNothing()
      await paidOut(recorded.problem, 2_000)
      await done(recorded.problem, "refunded-outside", { note, amount: "290" })
      await done((await paidForNothing()).problem, "handle", { note })
      // Medusa holds this one, so its refund repeats the note.
      await done((await refundDue(2_000)).due, "refunded-outside", { note })

      const rows = Object.values(await dump(store)).flat()
      const numbers = /4000\D?0012\D?3456\D?7899/
      expect(rows.filter((row) => numbers.test(row))).toEqual([])
      const masked = rows.filter((row) => row.includes("To **** 7899, **** 7899"))
      expect(masked.length).toBeGreaterThan(3)
      expect(store.log.join("\n")).not.toMatch(numbers)
    })

    it("is of a payment that nobody needs any more because another one of its cart was paid", async () => {
      const before = await shopper.checkout("sbp")
      await pay(await shopper.open(before.cartId, "crypto"))
      await store.simulator.pay(before.data.transaction_id)
      const problem = await problemOf(before, "paid_twice")
      expect(await seen(problem)).toMatchObject({ pay_out: { parts: [2_290], rest: "0.00" } })
      await paidOut(problem, 2_290)
      expect(await proofs(store)).toMatchObject([{ kind: "payout", problem_id: problem.id }])
      expect(await open(before)).toEqual([])
      expect(await ordersOf(store, before.cartId)).toHaveLength(1)
    })

    it("is exported with its last action, without card numbers, and every file is recorded", async () => {
      const { due } = await refundDue(2_000)
      const payout = await paidOut(due, 2_000)
      await anna.post("payouts", { amount: 4_004, note: "=1+1 to 4000001234567899" })
      const file = async (name: string, query = "") => await anna.get(`exports/${name}?${query}`)
      const lines = async (query: string, delimiter = ",") => {
        const { status, data } = await file("payouts.csv", query)
        expect(status).toBe(200)
        return parse(data as unknown as string, { bom: true, delimiter })
      }
      const [header = [], typed = [], sent = [], ...others] = await lines("")
      expect(others).toEqual([])
      const cells = (line: string[]) =>
        Object.fromEntries(header.map((title, at) => [title, line[at]]))
      expect(cells(typed)).toMatchObject({
        ...{ State: "Draft", Amount: "4004", Currency: "RUB", Note: "'=1+1 to **** 7899" },
        ...{ "Last action": "Made", "Last action by": "Anna" },
      })
      expect(cells(sent)).toMatchObject({
        ...{ Payout: payout.id, State: "Sent", Amount: "2000", Card: "**** 4242" },
        ...{ "USDT debited": payout.amount_usdt, Order: String(payout.order_display_id) },
        ...{ Problem: due.id, "Withdrawal record": payout.withdrawal_record_id },
        ...{ "Last action": "Answered by the service", "Last action by": "" },
      })
      const [russian, ...created] = await lines(
        "locale=ru&state=created&time_zone=Europe/Moscow",
        ";"
      )
      expect(russian?.slice(0, 5)).toEqual([
        ...["Выплата", "Составлена", "Часовой пояс", "Состояние", "Сумма"],
      ])
      expect(created.map((line) => line[22])).toEqual(["Получен ответ сервиса"])

      expect((await file("payouts.json", "q=2000")).data).toMatchObject([
        { id: payout.id, state: "created", last_entry: { kind: "answered", by: null } },
      ])
      expect((await file("payouts.xlsx", "q=4000001234567899")).status).toBe(200)

      const { data } = await anna.get("exports")
      const records = data.exports as { source: string; rows: number }[]
      expect(records.map(({ source, rows }) => `${source} ${rows}`).sort()).toEqual([
        // The last digits of the card stand in a note.
        ...["payouts 1", "payouts 1", "payouts 1", "payouts 2"],
      ])
      expect(JSON.stringify(records)).not.toContain("7899")
      expect(store.log.join()).not.toContain("4000001234567899")
    })

    it("becomes a problem when nobody has known for ten minutes, until somebody does", async () => {
      store.simulator.fault({ on: "payout", kind: "drop_after" })
      const made = await anna.post("payouts", { card_id: CARDS[1], amount: 3_003 })
      const { data } = await send(anna, made.data.payout)
      expect(data.payout.state).toBe("unknown")
      const isDue = async () => {
        const accounts = await store.module.accounts()
        return (await store.module.watching.findDueWork(accounts.merchantAccounts())).unknownPayouts
      }
      expect(await isDue()).toBe(false)
      setClockAhead(store, 11 * MINUTE)
      const found = await eventually("it is a problem", async () => {
        const [problem] = await store.module.listProblems({ kind: "payout_unknown" })
        return problem
      })
      expect(found).toMatchObject({ amount: "3003", facts: { payout: made.data.payout.id } })
      expect(await isDue()).toBe(false)
      const shown = await seen(found)
      expect(shown.actions).toEqual([])
      expect(shown.messages.en).toMatch(/payout of ₽3,003\.00 to \*{4} \d{4}, sent on/)
      await eventually("it is told", async () =>
        store.events.some(
          ({ name, data: told }) =>
            name === "payment_service.problem_opened" && told.problem_id === found.id
        )
      )
      const again = await send(anna, made.data.payout, { again: true })
      expect(again.data.payout.state).toBe("created")
      expect(await store.module.retrieveProblem(found.id)).toMatchObject({
        resolution: "settled",
      })
    })
  }
)
