import { randomUUID } from "node:crypto"

import { adminOf } from "../admin"
import { draftOrder } from "../order-changes"
import { editOrder } from "../order-edits"
import { act, listedProblems } from "../problems-of"
import { reconcileNow } from "../reconcile-now"
import { payUntilSettled, Shopper } from "../shopper"
import { eventually, settledRow, type TestStore } from "../store"

const PRICE = 490.5

/** Payments that Medusa had taken and then lost (promise 13). */
export function goneInMedusa(store: TestStore): void {
  const admin = adminOf(store)
  const shopper = new Shopper(store)

  /** An order that an administrator wrote down, and that was paid by its payment link before it was confirmed. */
  async function paidDraft() {
    const orderId = await draftOrder(admin, store.shop)
    const asked = { order_id: orderId, amount: PRICE }
    const { data: made } = await admin.post("/admin/payment-collections", asked)
    const { id: collectionId } = made.payment_collection as { id: string }
    const payment = await shopper.openIn(collectionId, "")
    await store.simulator.pay(payment.data.transaction_id)
    return { orderId, row: await settledRow(store, payment.sessionId) }
  }

  async function paidOrder() {
    const payment = await shopper.checkout()
    const row = await payUntilSettled(store, payment)
    return { orderId: row.order_id ?? "", row }
  }

  async function succeeds(answer: Promise<{ status: number; data: unknown }>): Promise<void> {
    const { status, data } = await answer
    expect({ status, data }).toMatchObject({ status: 200 })
  }

  it("is told of at once when a draft order was deleted after it had been paid, until its money went back", async () => {
    const { orderId, row } = await paidDraft()
    expect(row.order_id).toBe(orderId)
    expect(await reconcileNow(store)).toMatchObject({ differences: 0, error: null })
    await succeeds(admin.delete(`/admin/draft-orders/${orderId}`))
    const found = await eventually(
      "a person is asked",
      async () => (await listedProblems(admin))[0]
    )
    expect(found).toMatchObject({
      kind: "paid_after_change",
      transaction_id: row.transaction_id,
      order_id: orderId,
      currency: "RUB",
      actions: ["place_order", "refunded_outside", "retry", "handle"],
    })
    expect(Number(found.amount)).toBe(PRICE)
    expect(found.message).toContain("₽490.50 were paid for an order that is not there any more")
    const { data: shown } = await admin.get(`/admin/payment-service/transactions/${row.id}`)
    expect(shown.transaction).toMatchObject({ exception: "session_gone", settled_at: null })

    const [open] = await store.module.listProblems({ id: String(found.id) })
    await succeeds(act(admin, open!, "retry"))
    expect(await reconcileNow(store)).toMatchObject({ settled: 0, error: null })
    expect(await listedProblems(admin)).toMatchObject([{ id: found.id, message: found.message }])
    const back = { note: "paid back in cash", amount: "490.50" }
    await succeeds(act(admin, open!, "refunded-outside", back))
    expect(await reconcileNow(store)).toMatchObject({ differences: 0, error: null })
    expect(await store.module.listProblems()).toMatchObject([{ resolution: "refunded_outside" }])
  })

  it("is told of when the payment alone was deleted, until it is there again", async () => {
    const { row } = await paidOrder()
    const payments = store.container.resolve("payment")
    const [payment] = await payments.listPayments({ payment_session_id: row.session_id })
    const service = payments as unknown as Record<
      "softDeletePayments" | "restorePayments",
      (ids: string[]) => Promise<unknown>
    >
    await service.softDeletePayments([payment?.id ?? ""])
    await reconcileNow(store)
    expect(await listedProblems(admin, "kind=payment_not_there")).toMatchObject([
      { facts: { found: "payment_gone" }, order_id: row.order_id },
    ])
    await service.restorePayments([payment?.id ?? ""])
    expect(await reconcileNow(store)).toMatchObject({ differences: 0 })
    const found = await store.module.listProblems({ kind: "payment_not_there" })
    expect(found).toMatchObject([{ resolution: "settled" }])
  })

  it("is looked for, and orders' balances too, when the account that took it is configured no more", async () => {
    const [draft, order] = [await paidDraft(), await paidOrder()]
    const dropped = { merchant_id: randomUUID(), base_url: "https://dropped.test", watch_at: null }
    // Nothing was ever opened with the account that is configured now.
    const rows = await store.module.listTransactions({}, { take: null, select: ["id"] })
    await store.module.updateTransactions(rows.map(({ id }) => ({ id, ...dropped })))
    await store.container.resolve("order").deleteOrders([draft.orderId])
    await editOrder(store, admin, order.orderId, { add: 1 })
    await reconcileNow(store)
    const of = (order_id: string) => store.module.listProblems({ order_id, closed_at: null })
    expect(await of(draft.orderId)).toMatchObject([{ kind: "paid_after_change" }])
    expect(await of(order.orderId)).toMatchObject([{ kind: "order_underpaid" }])
  })
}
