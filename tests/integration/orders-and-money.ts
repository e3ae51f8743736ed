import type { LabelledPoint } from "../../src/database/labelled-points"
import type { ProblemRow } from "../../src/modules/payment-service"
import type { ProblemKind } from "../../src/problems/rules/problems"
import { type Admin, adminOf } from "./admin"
import { diesAt } from "./at-labelled-points"
import { editOrder } from "./order-edits"
import { ahead } from "./passes"
import { act, saying } from "./problems-of"
import { reconcileNow } from "./reconcile-now"
import {
  type Bought,
  buyWith,
  findOrder,
  type OpenPayment,
  payUntilSettled,
  Shopper,
} from "./shopper"
import { eventually, type TestStore } from "./store"

/** The steps of shopper, admin and service with an order's money, and the looks at it, in the words of the tests' stories. */
export function ordersAndMoney(store: TestStore) {
  const admin: Admin = adminOf(store)
  const shopper = new Shopper(store)

  /** The shopper pays, and the store has taken it. */
  const pay = (payment: OpenPayment) => payUntilSettled(store, payment)
  /** An order that is paid: one that was there already, if nothing is asked of it. */
  const buy = async (quantity?: number): Promise<Bought> => {
    const ready = quantity === undefined && store.paidOrders.shift()
    return (
      ready ||
      (await buyWith(store, await shopper.checkout("sbp", { ...(quantity && { quantity }) })))
    )
  }
  const cancel = ({ orderId }: { orderId: string }) => admin.post(`/admin/orders/${orderId}/cancel`)
  const refund = ({ paymentId }: { paymentId: string }, amount: number) =>
    admin.post(`/admin/payments/${paymentId}/refund`, { amount })
  /** Core asks our provider for a refund, which it refuses: no money has gone back. */
  const ask = async (paid: { paymentId: string }, amount: number) => {
    const refused = await refund(paid, amount)
    expect(refused.status).toBe(400)
    return refused.data as { message: string; type: string }
  }

  /** Of this payment: a settle of the test before may still be at its end. */
  const open = ({ data: { transaction_id } }: OpenPayment) =>
    store.module.listProblems({ transaction_id, closed_at: null })
  /** Of the order, whichever of its payments they name. */
  const openOfOrder = ({ orderId: order_id }: { orderId: string }) =>
    store.module.listProblems({ order_id, closed_at: null })
  const problemOf = async ({ data: { transaction_id } }: OpenPayment, kind: ProblemKind) =>
    await eventually(`${kind} of ${transaction_id}`, async () => {
      const [found] = await store.module.listProblems({ transaction_id, kind, closed_at: null })
      return found && saying(found)
    })
  const isClosed = async ({ id, kind }: ProblemRow) => {
    await eventually(`${kind} closes by itself`, async () => {
      const { closed_at, resolution } = await store.module.retrieveProblem(id)
      return closed_at !== null && resolution === "settled"
    })
  }
  /** A problem as its page shows it. */
  const seen = async ({ id }: { id: string }) => {
    const { data } = await admin.get(`/admin/payment-service/problems/${id}`)
    return data.problem as Record<string, unknown> & {
      actions: string[]
      messages: { en: string; ru: string }
      pay_out: (Record<string, unknown> & { parts: number[] }) | null
    }
  }

  /** The admin does something about a problem with what its page shows, which succeeds. */
  const done = async (problem: { id: string }, action: string, body: object = {}) => {
    const { status, data } = await act(admin, problem, action, body)
    expect({ status, data }).toMatchObject({ status: 200 })
    return data
  }
  /** The same, which is refused. */
  const refused = async (problem: { id: string }, action: string, body: object = {}) => {
    const { status, data } = await act(admin, problem, action, body)
    expect({ status, data }).toMatchObject({ status: 400 })
    return data as { code: string; message: string; type: string }
  }
  /** Records that the money went back outside, while the store's process dies at a labelled point, before Medusa has booked it all. */
  const recordedOnly = async (point: LabelledPoint, problem: { id: string }, body: object) => {
    const { data } = await diesAt(point, () => act(admin, problem, "refunded-outside", body))
    expect(data).toMatchObject({
      waits_for_change: true,
      problem: { closed_at: expect.any(String) },
    })
  }
  /** The watcher has booked what went back, as it does a minute after a process has died. */
  const isBookedLater = async (paid: Bought, refunds: number[]) => {
    await ahead(store, 61_000, async () => {
      await eventually("it is booked", async () => {
        const waiting = await store.module.listLedgerEntries({ to_book_at: { $ne: null } })
        return waiting.length === 0
      })
    })
    expect(await refundsOf(paid)).toEqual(refunds)
    expect(await open(paid)).toEqual([])
  }

  /** A paid order of which an admin asks for these sums back in Medusa's dashboard. */
  const refundDue = async (...amounts: number[]) => {
    const paid = await buy()
    for (const amount of amounts) await ask(paid, amount)
    return { paid, due: await problemOf(paid, "refund_due") }
  }
  /** A paid order that an admin cancels. */
  const canceledOrder = async () => {
    const paid = await buy()
    expect((await cancel(paid)).status).toBe(200)
    return { paid, due: await problemOf(paid, "refund_due") }
  }
  /** A paid order whose payment the service takes back. */
  const takenBack = async () => {
    const paid = await buy()
    await store.simulator.reverse(paid.data.transaction_id)
    return { paid, reversed: await problemOf(paid, "reversed") }
  }
  /** Two pieces were paid, and an edit takes them away. */
  const paidTooMuch = async () => {
    const paid = await buy(2)
    await editOrder(store, admin, paid.orderId, "take away")
    await reconcileNow(store)
    return { paid, excess: await problemOf(paid, "paid_twice") }
  }
  /** Another sum was paid than was asked for. */
  const paidOther = async (amount: number) => {
    const payment = await shopper.checkout("sbp")
    store.simulator.edit(payment.data.transaction_id, { amount })
    await store.simulator.pay(payment.data.transaction_id)
    return { payment, problem: await problemOf(payment, "amount_differs") }
  }
  /** Paid for a cart that had changed: no order took the money. */
  const paidForNothing = async () => {
    const payment = await shopper.checkout("sbp")
    await shopper.addItem(payment.cartId, 1)
    await store.simulator.pay(payment.data.transaction_id)
    return { payment, problem: await problemOf(payment, "paid_after_change") }
  }

  /** The sum that Medusa shows as owed of an order; less than nothing where it was paid too much. */
  const owed = async ({ orderId }: { orderId: string }) =>
    Number((await findOrder(store, orderId)).summary.pending_difference)
  /** The refunds that Medusa has booked, oldest first. */
  const refundsOf = async ({ paymentId }: { paymentId: string }) => {
    const refunds = await store.container
      .resolve("payment")
      .listRefunds({ payment_id: paymentId }, { order: { created_at: "ASC" } })
    return refunds.map(({ amount }) => Number(amount))
  }
  /** The sums that the order shows as paid and as gone back. */
  const bookingsOf = async ({ orderId }: { orderId: string }) => {
    const { transactions } = await findOrder(store, orderId)
    return transactions.map(({ amount }) => Number(amount)).sort((one, other) => one - other)
  }
  /** The bookings that core makes when it cancels an order are taken back. */
  const isBookedOnce = async (paid: { orderId: string }) => {
    await eventually("the order shows the money as held", async () => {
      return (await bookingsOf(paid)).length === 1
    })
  }
  /** The collection in which an order's rest is to be paid. */
  const unpaidOf = async ({ orderId }: { orderId: string }) => {
    const { payment_collections: collections } = await findOrder(store, orderId)
    return collections.find(({ status }) => status === "not_paid")?.id ?? ""
  }
  /** Opens a payment of an order's rest. */
  const openRest = async (of: { orderId: string }, method: "sbp" | "crypto" = "sbp") =>
    await shopper.openIn(await unpaidOf(of), "", method)
  /** The daily comparison leaves nothing open of these payments and their orders. */
  const isEven = async (...payments: (OpenPayment & { orderId: string })[]) => {
    await reconcileNow(store)
    for (const paid of payments) {
      expect([...(await open(paid)), ...(await openOfOrder(paid))]).toEqual([])
    }
  }

  return {
    ...{ admin, shopper, pay, buy, cancel, refund, ask, open, openOfOrder, problemOf, isClosed },
    ...{
      seen,
      done,
      refused,
      recordedOnly,
      isBookedLater,
      refundDue,
      canceledOrder,
      takenBack,
      paidTooMuch,
      paidOther,
    },
    ...{ paidForNothing, owed, refundsOf, bookingsOf, isBookedOnce, unpaidOf, openRest, isEven },
  }
}
