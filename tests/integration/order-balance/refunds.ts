import { setTimeout as sleep } from "node:timers/promises"

import type { IOrderModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules, OrderChangeType } from "@medusajs/framework/utils"

import type { ProblemRow } from "../../../src/modules/payment-service"
import { followCallbacks } from "../follow-callbacks"
import { editOrder } from "../order-edits"
import { ahead, type Passes, takeOverPasses, withFastClock } from "../passes"
import { atLabelledPoints } from "../at-labelled-points"
import { ordersAndMoney } from "../orders-and-money"
import { act } from "../problems-of"
import { proofs } from "../proofs"
import { reconcileNow } from "../reconcile-now"
import type { Bought } from "../shopper"
import { eventually, type TestStore } from "../store"

/** A settled payment is looked at some seconds after a callback, and an order is slow to cancel. */

const SECOND = 1_000
const NOTE = { note: "Bank transfer 17" }
const TRANSACTIONS = "/admin/payment-service/transactions"

export function refunds(store: TestStore): void {
  const callbacks = followCallbacks(store)
  const story = ordersAndMoney(store)
  const { admin, shopper, pay, buy, cancel, refund, ask, open, openOfOrder, problemOf, isClosed } =
    story
  const { done, refused, recordedOnly, isBookedLater, refundDue, canceledOrder, takenBack } = story
  const { owed, refundsOf, bookingsOf, isBookedOnce, unpaidOf, openRest, isEven } = story

  describe("what the service took back", () => {
    withFastClock(store)

    it("is not due when its order is canceled, or a refund of it is asked for, although the store did not know of it (promise 9)", async () => {
      const paid = await buy()
      await store.simulator.reverse(paid.data.transaction_id, { callback: false })
      expect((await ask(paid, 300)).message).toContain("nothing of it is to be paid back")
      expect((await cancel(paid)).status).toBe(200)
      const problem = await problemOf(paid, "reversed")
      expect(problem.message).toContain("Nothing more of it is to be paid back")
      await isBookedOnce(paid)
      await reconcileNow(store)
      const due = { kind: "refund_due" as const, transaction_id: paid.data.transaction_id }
      expect(await store.module.listProblems(due)).toEqual([])

      await done(problem, "refunded-outside", NOTE)
      expect(await refundsOf(paid)).toEqual([2290])
      await isEven(paid)
    })

    it("is due no more, and due again when the service confirms after all", async () => {
      const { paid, due } = await canceledOrder()
      await store.simulator.reverse(paid.data.transaction_id)
      await problemOf(paid, "reversed")
      await isClosed(due)
      await refused(due, "refunded-outside", NOTE)
      await reconcileNow(store)
      expect((await open(paid)).map(({ kind }) => kind)).toEqual(["reversed"])

      await store.simulator.pay(paid.data.transaction_id)
      const again = await problemOf(paid, "refund_due")
      expect(again).toMatchObject({ amount: "2290", order_id: paid.orderId })
      await eventually("the reversal is over", async () =>
        (await open(paid)).every(({ kind }) => kind === "refund_due")
      )
      await done(again, "refunded-outside", NOTE)
      expect(await refundsOf(paid)).toEqual([2290])
      expect(await open(paid)).toEqual([])
    })

    it("is booked as far as Medusa still holds it, and what was due of it is not any more", async () => {
      const { paid, due: part } = await refundDue(300)
      await done(part, "refunded-outside", NOTE)
      await ask(paid, 200)
      const rest = await problemOf(paid, "refund_due")
      await store.simulator.reverse(paid.data.transaction_id)
      const reversed = await problemOf(paid, "reversed")
      await isClosed(rest)
      await done(reversed, "refunded-outside", { ...NOTE, amount: "2290.00" })
      expect(await refundsOf(paid)).toEqual([300, 1990])
      await reconcileNow(store)
      // The customer keeps the goods.
      expect(await open(paid)).toMatchObject([{ kind: "order_underpaid", amount: "1990" }])
    })

    it("lowers no worth of an order to which an item is added after it was recorded, and that can be paid (promises 8 and 9)", async () => {
      const paid = await buy()
      const worthAndOwed = async () => {
        const { data } = await admin.get(`/admin/orders/${paid.orderId}`)
        const { total, summary } = data.order as {
          total: number
          summary: { pending_difference: number }
        }
        return [total, summary.pending_difference]
      }
      await store.simulator.reverse(paid.data.transaction_id)
      const reversed = await problemOf(paid, "reversed")
      expect(await worthAndOwed()).toEqual([2290, 0])
      await done(reversed, "refunded-outside", NOTE)
      expect(await worthAndOwed()).toEqual([2290, 2290])
      await editOrder(store, admin, paid.orderId, { add: 1 })
      expect(await worthAndOwed()).toEqual([2780.5, 2780.5])
      await reconcileNow(store)
      expect(await openOfOrder(paid)).toMatchObject([{ kind: "order_underpaid", amount: "2780.5" }])

      const link = await openRest(paid)
      expect(link.data.amount).toBe("2780.50")
      await pay(link)
      expect(await worthAndOwed()).toEqual([2780.5, 0])
      await isEven(paid)
    })
  })

  it("a payment that was taken back, recorded, and is confirmed again, is told, and stays booked as taken back (promises 5, 8 and 9)", async () => {
    const { paid, reversed } = await takenBack()
    const { transaction_id: id } = paid.data
    await done(reversed, "refunded-outside", NOTE)
    const owing = await problemOf(paid, "order_underpaid")
    await store.simulator.pay(id, { callback: false })
    await admin.post(`${TRANSACTIONS}/${id}/settle`)
    const again = await problemOf(paid, "changed_since_handled")
    expect(again.message).toContain("paid by now, taken back when a person handled it")
    // Nobody is asked for the money a second time while it waits for the person.
    expect(await shopper.choose(await unpaidOf(paid), "sbp")).toMatchObject({
      status: 400,
      data: { message: expect.stringContaining("already been received") },
    })
    // The person decides that this money pays what Medusa shows as owed.
    await done(owing, "handle", NOTE)
    await done(again, "handle", NOTE)
    await reconcileNow(store)
    await isEven(paid)
    expect(await refundsOf(paid)).toEqual([2290])
  })

  describe("a refund that Medusa cannot book at once", () => {
    const isBookedAndEven = async (paid: Bought) =>
      await eventually("it is booked, and nothing is owed for it", async () => {
        const isBooked = (await bookingsOf(paid)).length === 2
        return isBooked && (await owed(paid)) === 0
      })
    const edit = async (order_id: string) => {
      expect((await admin.post("/admin/order-edits", { order_id })).status).toBe(200)
    }
    const confirm = async (id: string) => {
      expect((await admin.post(`/admin/order-edits/${id}/confirm`)).status).toBe(200)
    }
    it("is recorded while an edit of the order is open, and booked when that is confirmed", async () => {
      const { paid, due } = await refundDue(300)
      await edit(paid.orderId)
      expect(await done(due, "refunded-outside", NOTE)).toMatchObject({ waits_for_change: true })
      expect(await refundsOf(paid)).toEqual([])
      expect(await open(paid)).toEqual([])

      await confirm(paid.orderId)
      await isBookedAndEven(paid)
      expect(await refundsOf(paid)).toEqual([300])
      expect(await open(paid)).toEqual([])
    })

    it("is booked, although a process of core's died at a credit and left it open (promise 11)", async () => {
      const { paid, due } = await refundDue(300)
      const orders = store.container.resolve<IOrderModuleService>(Modules.ORDER)
      await orders.createOrderChange({
        order_id: paid.orderId,
        change_type: OrderChangeType.CREDIT_LINE,
      })
      expect(await done(due, "refunded-outside", NOTE)).toMatchObject({ waits_for_change: true })
      await ahead(store, 3 * 60_000, () => isBookedAndEven(paid))
      expect(await refundsOf(paid)).toEqual([300])
      const [change] = await orders.listOrderChanges({ order_id: paid.orderId, status: "canceled" })
      expect(change).toMatchObject({ change_type: OrderChangeType.CREDIT_LINE })
    })

    it("is booked once, although the order was to be canceled before its edit was confirmed (promise 9)", async () => {
      const { paid, due } = await refundDue(2290)
      await edit(paid.orderId)
      expect(await done(due, "refunded-outside", NOTE)).toMatchObject({ waits_for_change: true })
      const { status, data } = await cancel(paid)
      expect([status, data.code]).toEqual([400, "change_is_open"])
      expect(await refundsOf(paid)).toEqual([])
      expect(await bookingsOf(paid)).toEqual([2290])

      await confirm(paid.orderId)
      await isBookedAndEven(paid)
      expect((await cancel(paid)).status).toBe(200)
      await isEven(paid)
      expect(await refundsOf(paid)).toEqual([2290])
      expect(await bookingsOf(paid)).toEqual([-2290, 2290])
    })

    it("is booked once, although core used up its proof when it canceled the order (promise 9)", async () => {
      const { paid, due } = await refundDue(2290)
      await recordedOnly("refund:proved", due, NOTE)
      expect(await refundsOf(paid)).toEqual([])

      expect((await cancel(paid)).status).toBe(200)
      expect(await refundsOf(paid)).toEqual([2290])
      await isBookedLater(paid, [2290])
      await reconcileNow(store)
      expect(await bookingsOf(paid)).toEqual([-2290, 2290])
      expect(await openOfOrder(paid)).toEqual([])
    })

    it.each([
      ["before it lowered the worth", "createOrderChange", false],
      ["after the booking", "addOrderTransactions", true],
    ] as const)(
      "lowers the order's worth once, although its process died %s (promise 11)",
      async (_, call, isWritten) => {
        const { paid, due } = await refundDue(300)
        const orders = store.container.resolve<IOrderModuleService>(Modules.ORDER)
        const write = orders[call].bind(orders) as (...given: unknown[]) => Promise<unknown>
        const spy = jest.spyOn(orders, call).mockImplementationOnce(async (...given: unknown[]) => {
          if (isWritten) await write(...given)
          throw new Error("The process died")
        })
        expect(await done(due, "refunded-outside", NOTE)).toMatchObject({ waits_for_change: true })
        spy.mockRestore()
        await isBookedLater(paid, [300])
        expect(await owed(paid)).toBe(0)
        await isEven(paid)
        // Nothing is left behind that keeps the order from being changed.
        await editOrder(store, admin, paid.orderId, { add: 1 })
        expect(await owed(paid)).toBe(490.5)
      }
    )

    it("is booked once when it is asked for in the dashboard at the same moment", async () => {
      const { paid, due } = await refundDue(300)
      await recordedOnly("refund:proved", due, NOTE)

      // Core has seen that its refund is not booked, and is about to book it.
      const orders = store.container.resolve<IOrderModuleService>(Modules.ORDER)
      const write = orders.addOrderTransactions.bind(orders) as (booking: object) => Promise<never>
      let letBook: () => void = () => undefined
      const another = new Promise<void>((resolve) => (letBook = resolve))
      const spy = jest.spyOn(orders, "addOrderTransactions")
      spy.mockImplementation(async (booking: object) => {
        if (spy.mock.calls.length > 1) letBook()
        await Promise.race([another, sleep(SECOND)])
        return await write(booking)
      })
      try {
        const asked = refund(paid, 300)
        await eventually("core books", () => Promise.resolve(spy.mock.calls.length))
        await isBookedLater(paid, [300])
        expect((await asked).status).toBe(200)
      } finally {
        letBook()
        spy.mockRestore()
      }
      expect(await bookingsOf(paid)).toEqual([-300, 2290])
      expect(await owed(paid)).toBe(0)
      expect(await open(paid)).toEqual([])
    })
  })

  it("leaves nothing of a refused refund in Medusa, whenever the process is killed (promise 9)", async () => {
    const paid = await buy()
    await ask(paid, 300)
    // Core's own refusal of more than it holds is not ours.
    expect(await ask(paid, 5000)).toMatchObject({ type: "invalid_data" })
    const { rows } = await store.container
      .resolve<{ raw(text: string, values: object): Promise<{ rows: unknown[] }> }>(
        ContainerRegistrationKeys.PG_CONNECTION
      )
      .raw("select id from refund where payment_id = :id", { id: paid.paymentId })
    expect(rows).toEqual([])
    expect(await problemOf(paid, "refund_due")).toMatchObject({ amount: "300" })
  })

  it("are asked for once, although the button was clicked twice", async () => {
    const paid = await buy()
    const second: ReturnType<typeof ask>[] = []
    const stop = atLabelledPoints(async (point) => {
      if (point !== "read:answered" || second.length) return
      second.push(ask(paid, 600))
      await second[0]
    })
    const first = ask(paid, 600)
    await first.finally(stop)
    for (const { message } of await Promise.all([first, ...second])) {
      expect(message).toContain("cannot refund")
    }
    expect(second).toHaveLength(1)
    expect(await problemOf(paid, "refund_due")).toMatchObject({ amount: "600" })
  })

  describe("several refunds of one payment", () => {
    it("are due together, and what is left of them when a part went back", async () => {
      const { paid, due: both } = await refundDue(300, 200)
      expect(both).toMatchObject({ amount: "500", order_id: paid.orderId })
      expect(both.message).toMatch(/₽500\.00 .*₽300\.00 — .*; ₽200\.00 — .*only repeated/)
      const { data } = await admin.get(`/admin/payment-service/problems/${both.id}`)
      expect(data.problem).toMatchObject({
        messages: {
          en: expect.stringMatching(/^₽500\.00 of order #\d+ are to be paid back/),
          ru: expect.stringMatching(/^По заказу #\d+ нужно вернуть/),
        },
      })

      for (const part of [0, "500.01", 2290]) {
        const { message } = await refused(both, "refunded-outside", { ...NOTE, part })
        expect(message).toContain("about ₽500.00 by now")
      }
      expect(await refundsOf(paid)).toEqual([])
      // Two clicks: one of them finds it closed.
      const answers = await Promise.all(
        [1, 2].map(() => act(admin, both, "refunded-outside", { ...NOTE, part: "300" }))
      )
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
      expect(await refundsOf(paid)).toEqual([300])
      const rest = await problemOf(paid, "refund_due")
      expect(rest).toMatchObject({ amount: "200", order_id: paid.orderId })
      expect(rest.id).not.toBe(both.id)
      await done(rest, "refunded-outside", NOTE)
      expect(await refundsOf(paid)).toEqual([300, 200])
      expect(await open(paid)).toEqual([])
      expect(await proofs(store)).toHaveLength(2)
    })

    it("are never more than Medusa holds, and one that was only repeated is marked as handled", async () => {
      const paid = await buy()
      await Promise.all([ask(paid, 2000), ask(paid, 200)])
      await ask(paid, 2000)
      const due = await problemOf(paid, "refund_due")
      expect(due.amount).toBe("2290")
      await act(admin, due, "refunded-outside", { ...NOTE, part: 2200 })
      const rest = await problemOf(paid, "refund_due")
      expect(rest.amount).toBe("90")
      await done(rest, "handle", { note: "Asked for twice" })
      expect(await open(paid)).toEqual([])
      // A refund that was taken care of does not come up again with the next one.
      await ask(paid, 50)
      expect(await problemOf(paid, "refund_due")).toMatchObject({ amount: "50" })
    })

    it("are all of it when the order is canceled, until a person says that it may stay", async () => {
      const paid = await buy()
      await ask(paid, 300)
      expect((await cancel(paid)).status).toBe(200)
      const due = await eventually("all of it is due", async () => {
        const [found] = await open(paid)
        return found?.amount === "2290" && found
      })
      await isBookedOnce(paid)
      await done(due, "refunded-outside", { ...NOTE, part: 290 })
      const rest = await problemOf(paid, "refund_due")
      expect(rest.amount).toBe("2000")
      await done(rest, "handle", { note: "A voucher instead" })
      await isEven(paid)

      // Money that goes back after that makes nothing else due (promise 8).
      await ask(paid, 200)
      const later = await problemOf(paid, "refund_due")
      expect(later.amount).toBe("200")
      await done(later, "refunded-outside", NOTE)
      await isEven(paid)
      expect(await refundsOf(paid)).toEqual([290, 200])
    })
  })

  describe("a refund that was asked for beside Medusa's own balance", () => {
    const goingBack = async () => {
      const { data } = await admin.get("/admin/payment-service/overview")
      const waiting = data.waiting as { kind: string; count: number; amount: string }[]
      return waiting
        .filter(({ kind }) => kind === "refund_due" || kind === "paid_twice")
        .map(({ count, amount }) => [count, amount])
    }

    it.each([
      ["a smaller sum, as goodwill, before", 300, "paid_twice"],
      ["a larger sum, after", 2000, "refund_due"],
    ])(
      "is, of %s the order was lowered, one problem with one number (promise 8)",
      async (when, asked, kind) => {
        const isAfter = when.endsWith("after")
        const paid = await buy()
        const lower = () => editOrder(store, admin, paid.orderId, "take away")
        if (isAfter) await lower()
        await ask(paid, asked)
        if (!isAfter) await lower()
        await reconcileNow(store)
        const amount = String(Math.max(asked, 1990))
        const [due, ...others] = await openOfOrder(paid)
        expect([due, others]).toMatchObject([{ kind, amount }, []])
        expect(await goingBack()).toEqual([[1, amount]])

        await done(due as ProblemRow, "refunded-outside", NOTE)
        expect(await refundsOf(paid)).toEqual([Number(amount)])
        await isEven(paid)
        expect(await goingBack()).toEqual([])
        expect(await owed(paid)).toBe(0)
      }
    )

    it("is not set off against what the order is owed: both are told (promise 8)", async () => {
      const { paid, due } = await refundDue(300)
      await editOrder(store, admin, paid.orderId, { add: 1 })
      await reconcileNow(store)
      const lacking = await problemOf(paid, "order_underpaid")
      expect([await problemOf(paid, "refund_due"), lacking]).toMatchObject([
        { amount: "300" },
        { amount: "490.5" },
      ])
      expect(due.message).toMatch(/^₽300\.00 of order /)
      expect(lacking.message).toMatch(
        /is worth ₽2,780\.50, and ₽2,290\.00 were paid: ₽490\.50 are owed/
      )
      expect(await openOfOrder(paid)).toHaveLength(2)

      await done(due, "refunded-outside", NOTE)
      const link = await openRest(paid)
      expect(link.data.amount).toBe("490.50")
      await pay(link)
      await isEven(paid)
      expect(await owed(paid)).toBe(0)
    })
  })

  describe("what a person took care of", () => {
    let passes: Passes
    beforeEach(async () => {
      passes = await takeOverPasses(store)
    })
    async function look(): Promise<void> {
      passes.advance(6 * SECOND)
      await passes.watch()
    }

    it("and no order has is asked about again", async () => {
      const payment = await shopper.checkout("sbp")
      const { transaction_id } = payment.data
      const change = async (work: () => Promise<void>) => {
        await work()
        await store.simulator.sendCallback(transaction_id)
        await callbacks.allSettled()
        await look()
      }
      const pay = () => store.simulator.pay(transaction_id, { callback: false })
      store.simulator.edit(transaction_id, { amount: 2000 })
      await change(pay)
      const less = await problemOf(payment, "amount_differs")
      await done(less, "handle", { note: "Sent back" })

      await change(() => store.simulator.reverse(transaction_id, { callback: false }))
      const reversed = await problemOf(payment, "reversed")
      await done(reversed, "handle", { note: "Claimed" })
      await change(() => store.simulator.setStatus(transaction_id, "CANCELED", { callback: false }))
      expect(await open(payment)).toEqual([])

      // Page, list and problem say the same: it waits for a person again (promise 9).
      const said = async () => {
        const { data: listed } = await admin.get(`${TRANSACTIONS}?q=${transaction_id}`)
        const [row] = listed.transactions as { id: string; standing: string }[]
        const { data: shown } = await admin.get(`${TRANSACTIONS}/${row?.id}`)
        const { kind } = shown.verdict as { kind: string }
        return [row?.standing, (shown.transaction as { standing: string }).standing, kind]
      }
      expect(await said()).toEqual(["taken_care_of", "taken_care_of", "taken_care_of"])
      await change(pay)
      const paid = await problemOf(payment, "changed_since_handled")
      expect(await said()).toEqual(["waiting_for_person", "waiting_for_person", "needs_person"])
      await done(paid, "refunded-outside", NOTE)
      expect(await said()).toEqual(["refunded", "refunded", "taken_care_of"])
      await change(pay)
      expect(await open(payment)).toEqual([])

      store.simulator.edit(transaction_id, { currency: "USD" })
      await change(pay)
      const dollars = await problemOf(payment, "changed_since_handled")
      expect(dollars.message).toContain("$2,000.00, ₽2,000.00 when a person handled it")
      store.simulator.edit(transaction_id, { currency: "RUB" })
      await change(pay)
      await isClosed(dollars)
    })
  })
}
