import { setTimeout as sleep } from "node:timers/promises"

import type { IOrderModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import type { ProblemRow } from "../../../src/modules/payment-service"
import { followCallbacks } from "../follow-callbacks"
import { answerTransfer, requestTransfer } from "../order-changes"
import { editOrder } from "../order-edits"
import { type Passes, takeOverPasses, withFastClock } from "../passes"
import { atLabelledPoints } from "../at-labelled-points"
import { type Bought, ordersAndMoney } from "../orders-and-money"
import { act } from "../problems-of"
import { proofs } from "../proofs"
import { reconcileNow } from "../reconcile-now"
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
  const { done, refused, dies, refundDue, canceledOrder, takenBack } = story
  const { owed, refundsOf, bookingsOf, isBookedOnce, openRest, isEven } = story
  beforeEach(() => {
    // The simulator keeps its transactions from test to test; nobody asks for what is this old.
    for (const { id } of store.simulator.transactions()) {
      store.simulator.edit(id, { createdAt: 0 })
    }
  })

  describe("what the service took back", () => {
    withFastClock(store)

    it.each([
      ["and the store knew of it", true],
      ["and the store did not know of it", false],
    ])("is not due when its order is canceled, %s", async (_, callback) => {
      const paid = await buy()
      await store.simulator.reverse(paid.data.transaction_id, { callback })
      if (callback) await problemOf(paid, "reversed")
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

    it("is not due when a refund is asked for", async () => {
      const paid = await buy()
      await store.simulator.reverse(paid.data.transaction_id, { callback: false })
      expect((await ask(paid, 300)).message).toContain("nothing of it is to be paid back")
      expect((await open(paid)).map(({ kind }) => kind)).toEqual(["reversed"])
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

    it("is owed again, with what is added to the order, and can be paid", async () => {
      const { paid, reversed } = await takenBack()
      // Before it is recorded, Medusa counts it as paid, and what is added can be paid.
      await editOrder(store, admin, paid.orderId, { add: 1 })
      const added = await openRest(paid)
      await pay(added)
      expect(await owed(paid)).toBe(0)

      await done(reversed, "refunded-outside", NOTE)
      expect(await owed(paid)).toBe(2290)
      await reconcileNow(store)
      expect(await openOfOrder(paid)).toMatchObject([{ kind: "order_underpaid", amount: "2290" }])
      const rest = await openRest(paid, "crypto")
      expect(rest.data.amount).toBe("2290.00")
      await pay(rest)
      expect(await owed(paid)).toBe(0)
      await isEven(paid)
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

  it("goes back of a payment whose reversal was withdrawn before its refund was booked (promise 9)", async () => {
    const { paid, reversed } = await takenBack()
    const orders = store.container.resolve(Modules.ORDER)
    const broken = jest
      .spyOn(orders, "addOrderTransactions")
      .mockRejectedValueOnce(new Error("is away"))
    const failed = await act(admin, reversed, "refunded-outside", NOTE).finally(() => {
      broken.mockRestore()
    })
    expect(failed.status).toBeGreaterThanOrEqual(400)
    expect(await refundsOf(paid)).toEqual([2290])
    await store.simulator.pay(paid.data.transaction_id, { callback: false })
    await admin.post(`${TRANSACTIONS}/${paid.data.transaction_id}/settle`)
    expect((await cancel(paid)).status).toBe(200)
    const due = await problemOf(paid, "refund_due")
    await done(due, "refunded-outside", NOTE)
    expect(await refundsOf(paid)).toEqual([2290])
    expect(await bookingsOf(paid)).toEqual([-2290, 2290])
  })

  it.each([
    ["the shop's, and nobody is told to ask for it again", false],
    ["what a canceled order still has to give back", true],
  ])(
    "a payment that was taken back, recorded, and is confirmed again, is %s (promises 5 and 9)",
    async (_, isCanceled) => {
      const paid = await buy()
      const { transaction_id: id } = paid.data
      const settle = () => admin.post(`${TRANSACTIONS}/${id}/settle`)
      await store.simulator.reverse(id)
      const reversed = await problemOf(paid, "reversed")
      await done(reversed, "refunded-outside", NOTE)
      await problemOf(paid, "order_underpaid")
      if (isCanceled) {
        expect((await admin.post(`/admin/orders/${paid.orderId}/cancel`)).status).toBe(200)
        await eventually("nothing is owed", async () => (await open(paid)).length === 0)
      }
      await store.simulator.pay(id, { callback: false })
      await settle()
      const kinds = async () => (await open(paid)).map(({ kind }) => kind).sort()
      const told = isCanceled ? ["changed_since_handled", "refund_due"] : ["changed_since_handled"]
      await eventually("it is told", async () => String(await kinds()) === String(told))
      await reconcileNow(store)
      expect(await kinds()).toEqual(told)
      const changed = await problemOf(paid, "changed_since_handled")
      await done(changed, "handle", NOTE)
      await reconcileNow(store)
      expect(await kinds()).toEqual(isCanceled ? ["refund_due"] : [])
      if (isCanceled) {
        const due = await problemOf(paid, "refund_due")
        expect(due.amount).toBe("2290")
        await done(due, "refunded-outside", NOTE)
        await reconcileNow(store)
        expect(await kinds()).toEqual([])
      } else {
        await store.simulator.reverse(id)
        await problemOf(paid, "order_underpaid")
      }
    }
  )

  it("a payment that was taken back after as much was refunded is owed again (promise 9)", async () => {
    const { paid, due: part } = await refundDue(1145)
    await done(part, "refunded-outside", NOTE)
    await store.simulator.reverse(paid.data.transaction_id)
    const reversed = await problemOf(paid, "reversed")
    await done(reversed, "refunded-outside", { ...NOTE, amount: "2290.00" })
    expect(await refundsOf(paid)).toEqual([1145, 1145])
    expect(await problemOf(paid, "order_underpaid")).toMatchObject({ amount: "1145" })
  })

  describe("a refund that Medusa cannot book at once", () => {
    /** Medusa books first, and then lowers the order's worth. */
    const isBookedAndEven = async (paid: Bought) =>
      await eventually("it is booked, and nothing is owed for it", async () => {
        const isBooked = (await bookingsOf(paid)).length === 2
        return isBooked && (await owed(paid)) === 0
      })
    const edit = async (order_id: string) => {
      expect((await admin.post("/admin/order-edits", { order_id })).status).toBe(200)
    }
    const discard = async (id: string) => {
      expect((await admin.delete(`/admin/order-edits/${id}`)).status).toBe(200)
    }
    const confirm = async (id: string) => {
      expect((await admin.post(`/admin/order-edits/${id}/confirm`)).status).toBe(200)
    }
    const beginReturn = async (order_id: string) => {
      expect((await admin.post("/admin/returns", { order_id })).status).toBe(200)
    }
    const dropReturn = async (id: string) => {
      const { data } = await admin.get(`/admin/returns?order_id=${id}`)
      const [begun] = data.returns as { id: string }[]
      expect((await admin.delete(`/admin/returns/${begun?.id ?? ""}/request`)).status).toBe(200)
    }
    const transfer = (id: string) => requestTransfer(store, admin, id, "gets-an-order@shopper.test")
    const withdraw = async (id: string) => {
      expect((await admin.post(`/admin/orders/${id}/transfer/cancel`)).status).toBe(200)
    }

    it.each([
      ["an edit", "is discarded", edit, discard],
      ["an edit", "is confirmed", edit, confirm],
      ["a transfer", "is accepted", transfer, (id: string) => answerTransfer(store, id, "accept")],
      ["a return", "is dropped before it was requested", beginReturn, dropReturn],
    ])(
      "is recorded while %s of the order is open, and booked when that %s",
      async (_change, _end, begin, end) => {
        const { paid, due } = await refundDue(300)
        await begin(paid.orderId)
        expect(await done(due, "refunded-outside", NOTE)).toMatchObject({ waits_for_change: true })
        expect(await refundsOf(paid)).toEqual([])
        expect(await open(paid)).toEqual([])

        await end(paid.orderId)
        await isBookedAndEven(paid)
        expect(await refundsOf(paid)).toEqual([300])
        expect(await open(paid)).toEqual([])
      }
    )

    it.each([
      ["edited", edit, discard],
      ["transferred", transfer, withdraw],
    ])(
      "is not due because an order that is being %s could not be canceled (promise 9)",
      async (_, begin, end) => {
        const paid = await buy()
        await begin(paid.orderId)
        const { status, data } = await cancel(paid)
        expect([status, data.code]).toEqual([400, "change_is_open"])
        expect(await bookingsOf(paid)).toEqual([2290])
        await end(paid.orderId)
        await isEven(paid)
      }
    )

    it.each([
      ["discarded", discard],
      ["confirmed", confirm],
    ])(
      "is booked once, although the order was to be canceled before the edit was %s (promise 9)",
      async (_, end) => {
        const { paid, due } = await refundDue(2290)
        await edit(paid.orderId)
        expect(await done(due, "refunded-outside", NOTE)).toMatchObject({ waits_for_change: true })
        expect((await cancel(paid)).status).toBe(400)
        expect(await refundsOf(paid)).toEqual([])
        expect(await bookingsOf(paid)).toEqual([2290])
        expect(await openOfOrder(paid)).toEqual([])

        await end(paid.orderId)
        await isBookedAndEven(paid)
        expect((await cancel(paid)).status).toBe(200)
        await reconcileNow(store)
        expect(await refundsOf(paid)).toEqual([2290])
        expect(await bookingsOf(paid)).toEqual([-2290, 2290])
        expect(await openOfOrder(paid)).toEqual([])
      }
    )

    it("is booked once, although core used up its proof when it canceled the order (promise 9)", async () => {
      const { paid, due } = await refundDue(2290)
      await dies("refund:proved", due, "refunded-outside", NOTE)
      expect(await refundsOf(paid)).toEqual([])

      expect((await cancel(paid)).status).toBe(200)
      expect(await refundsOf(paid)).toEqual([2290])
      await done(due, "refunded-outside", NOTE)
      await reconcileNow(store)
      expect(await refundsOf(paid)).toEqual([2290])
      expect(await bookingsOf(paid)).toEqual([-2290, 2290])
      expect(await openOfOrder(paid)).toEqual([])
    })

    /** The admin's recording breaks off in a call of Medusa's order module, before or after its write. */
    async function brokenOff(
      call: "createOrderChange" | "addOrderTransactions" | "confirmOrderChange",
      isWritten: boolean
    ) {
      const { paid, due } = await refundDue(300)
      const orders = store.container.resolve<IOrderModuleService>(Modules.ORDER)
      const write = orders[call].bind(orders) as (...given: unknown[]) => Promise<unknown>
      const breakOff = async (...given: unknown[]) => {
        if (isWritten) await write(...given)
        throw new Error("The process died")
      }
      const spy = jest.spyOn(orders, call).mockImplementationOnce(breakOff)
      const broken = await act(admin, due, "refunded-outside", NOTE)
      expect(broken.status).toBeGreaterThanOrEqual(400)
      expect(spy).toHaveBeenCalledTimes(1)
      spy.mockRestore()
      return { paid, due }
    }

    it.each([
      ["before it opened the credit", "createOrderChange", false],
      ["after it opened the credit", "createOrderChange", true],
      ["after the booking", "addOrderTransactions", true],
      ["after it confirmed the credit", "confirmOrderChange", true],
    ] as const)(
      "lowers the order's worth once, although it broke off %s",
      async (_, call, isWritten) => {
        const { paid, due } = await brokenOff(call, isWritten)
        await done(due, "refunded-outside", NOTE)
        expect(await refundsOf(paid)).toEqual([300])
        expect(await owed(paid)).toBe(0)
        await isEven(paid)
        // Nothing is left behind that keeps the order from being changed.
        await editOrder(store, admin, paid.orderId, { add: 1 })
        expect(await owed(paid)).toBe(490.5)
      }
    )

    it("lowers the order's worth by no more than what went back, when the order is worth more by now", async () => {
      const { paid, due } = await brokenOff("createOrderChange", false)
      await editOrder(store, admin, paid.orderId, { add: 1 })
      await done(due, "refunded-outside", NOTE)
      expect(await refundsOf(paid)).toEqual([300])
      expect(await owed(paid)).toBe(490.5)
      expect(await open(paid)).toMatchObject([{ kind: "order_underpaid", amount: "490.5" }])
    })

    it("is recorded although core's own process left the order unfinished, but not while it may be at it", async () => {
      const { paid, due } = await refundDue(300)
      const orders = store.container.resolve<IOrderModuleService>(Modules.ORDER)
      const { id } = await orders.createOrderChange({
        order_id: paid.orderId,
        change_type: "credit_line",
      })
      expect((await refused(due, "refunded-outside", NOTE)).code).toBe("order_being_changed")
      const sql = store.container.resolve<{ raw(text: string, values: object): Promise<unknown> }>(
        ContainerRegistrationKeys.PG_CONNECTION
      )
      await sql.raw(
        "update order_change set created_at = created_at - interval '3 minutes' where id = :id",
        { id }
      )
      await done(due, "refunded-outside", NOTE)
      expect(await refundsOf(paid)).toEqual([300])
      expect(await owed(paid)).toBe(0)
      expect(await open(paid)).toEqual([])
    })

    it("is booked once when it is asked for in the dashboard at the same moment", async () => {
      const { paid, due } = await refundDue(300)
      await dies("refund:proved", due, "refunded-outside", NOTE)

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
        const recorded = await act(admin, due, "refunded-outside", NOTE)
        expect([(await asked).status, recorded.status]).toEqual([200, 200])
      } finally {
        letBook()
        spy.mockRestore()
      }
      expect(await refundsOf(paid)).toEqual([300])
      expect(await bookingsOf(paid)).toEqual([-300, 2290])
      expect(await owed(paid)).toBe(0)
      expect(await open(paid)).toEqual([])
    })

    it("lowers the order's worth by a repeating decimal, too", async () => {
      const { paid, due } = await refundDue(333.33)
      const amount = "333.3333333333333333"
      const of = { transaction_row_id: due.transaction_row_id as string, problem_id: due.id }
      await store.module.ledger.add({ ...of, kind: "outside", amount, currency: "RUB" })
      // The process died before the booking.
      await store.container.resolve("payment").refundPayment({ payment_id: paid.paymentId, amount })
      await done(due, "refunded-outside", NOTE)
      expect(await owed(paid)).toBeCloseTo(0, 10)
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
      expect(both.message).toMatch(/500 RUB .*300 RUB — .*; 200 RUB — .*only repeated/)
      const { data } = await admin.get(`/admin/payment-service/problems/${both.id}`)
      expect(data.problem).toMatchObject({
        messages: {
          en: expect.stringMatching(/^500 RUB of order #\d+ are to be paid back/),
          ru: expect.stringMatching(/^По заказу #\d+ нужно вернуть/),
        },
      })

      for (const part of [0, "500.01", 2290]) {
        const { message } = await refused(both, "refunded-outside", { ...NOTE, part })
        expect(message).toContain("about 500 RUB by now")
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

    it.each([
      ["asked for in full", (paid: Bought) => ask(paid, 2290)],
      ["due of a canceled order", (paid: Bought) => cancel(paid)],
    ])(
      "are not due again because a part of what a person keeps, %s, went back later (promise 8)",
      async (_, begin) => {
        const paid = await buy()
        await begin(paid)
        const all = await problemOf(paid, "refund_due")
        expect(all.amount).toBe("2290")
        await done(all, "handle", { note: "We keep it" })
        await isEven(paid)

        await ask(paid, 300)
        const part = await problemOf(paid, "refund_due")
        expect(part.amount).toBe("300")
        await done(part, "refunded-outside", NOTE)
        expect(await refundsOf(paid)).toEqual([300])
        expect(await openOfOrder(paid)).toEqual([])
        await isEven(paid)
      }
    )

    it("are recorded once, although the first attempt broke off before Medusa booked it", async () => {
      const { paid, due } = await refundDue(300, 200)
      const medusa = jest
        .spyOn(store.container.resolve("payment"), "refundPayment")
        .mockRejectedValueOnce(new Error("The process died"))
      const said = { ...NOTE, part: 300 }
      expect((await act(admin, due, "refunded-outside", said)).status).toBeGreaterThanOrEqual(400)
      medusa.mockRestore()
      expect(await refundsOf(paid)).toEqual([])
      await reconcileNow(store)
      expect(await problemOf(paid, "refund_due")).toMatchObject({ id: due.id })

      await refused(due, "refunded-outside", { ...NOTE, part: 200 })
      await done(due, "refunded-outside", said)
      expect(await refundsOf(paid)).toEqual([300])
      expect(await problemOf(paid, "refund_due")).toMatchObject({ amount: "200" })
    })

    it("are recorded to the kopeck, and booked as Medusa has them", async () => {
      const { paid, due } = await refundDue(1199.988)
      expect(due.message).toContain("1,199.99 RUB")
      await done(due, "refunded-outside", { ...NOTE, amount: 1199.99 })
      expect(await refundsOf(paid)).toEqual([1199.988])
      expect(await open(paid)).toEqual([])
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
      ["the same sum, before", 1990, "refund_due"],
      ["a smaller sum, as goodwill, before", 300, "paid_twice"],
      ["the same sum, after", 1990, "refund_due"],
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
      expect(due.message).toMatch(/^300 RUB of order /)
      expect(lacking.message).toMatch(
        /is worth 2,780.50 RUB, and 2,290 RUB were paid: 490.50 RUB are owed/
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
    afterEach(() => {
      passes.release()
    })

    async function look(): Promise<void> {
      passes.advance(6 * SECOND)
      await passes.watch()
    }

    it.each([
      ["a callback", true],
      ["the daily comparison", false],
    ])("and no order has is asked about again, found by %s", async (_, callback) => {
      const payment = await shopper.checkout("sbp")
      const { transaction_id } = payment.data
      const change = async (work: () => Promise<void>) => {
        await work()
        if (callback) {
          await store.simulator.sendCallback(transaction_id)
          await callbacks.allSettled()
          await look()
        } else {
          await passes.reconcile()
        }
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
      expect(dollars.message).toContain("2,000 USD, 2,000 RUB when a person handled it")
      store.simulator.edit(transaction_id, { currency: "RUB" })
      await change(pay)
      await isClosed(dollars)
    })

    it("is not read more often than twice in ten seconds, however many callbacks name it, and not for ever", async () => {
      const paid = await buy()
      await passes.watch()
      store.simulator.clearRequests()
      for (let round = 0; round < 5; round++) {
        await Promise.all(
          Array.from({ length: 10 }, () => store.simulator.sendCallback(paid.data.transaction_id))
        )
        await callbacks.allSettled()
        for (let second = 0; second < 10; second++) {
          passes.advance(SECOND)
          await passes.watch()
        }
        expect(readsOf(store)).toBeLessThanOrEqual(2 * (round + 1) + 1)
      }
      const during = readsOf(store)
      expect(during).toBeGreaterThanOrEqual(5)
      for (let minute = 0; minute < 10; minute++) {
        passes.advance(60 * SECOND)
        await passes.watch()
      }
      expect(readsOf(store)).toBeLessThanOrEqual(during + 3)
      expect(await store.module.findBySession(paid.sessionId)).toMatchObject({ watch_at: null })
    })
  })
}

const readsOf = ({ simulator }: TestStore) => simulator.requests({ on: "get" }).length
