import type { Bought } from "../orders-and-money"
import { send } from "../payouts/payouts-of"
import type { TestStore } from "../store"
import type { RefundsByPayout } from "./refunds-by-payout"

/** Payouts that name an order: refunds of its open problem, or of what Medusa holds of its payment. */
export function payoutsForAnOrder(store: TestStore, refunds: RefundsByPayout): void {
  const { admin, buy, ask, open, problemOf, seen, done, dies, refundDue } = refunds
  const { paidTooMuch, refundsOf, people, tried } = refunds
  let { anna } = people
  beforeEach(() => {
    ;({ anna } = people)
  })
  const onItsPage = async ({ orderId }: Bought) => {
    const { data } = await admin.get(`/admin/payment-service/payments?order_id=${orderId}`)
    return data as {
      pay_out: { left: string; account: string } | null
      payouts: { payouts: { id: string }[]; count: number; smallest: number | null }
    }
  }
  const draftFor = (order_id: string, amount: number) => refunds.draftFor({ amount, order_id })
  const triedFor = (order_id: string, amount: number) => tried({ amount, order_id })
  const paidOut = async ({ orderId }: Bought, amount: number) => {
    const payout = await refunds.paidOut({ amount, order_id: orderId })
    expect(payout).toMatchObject({ state: "created", amount, order_id: orderId })
    return payout
  }

  it("pays back the refund that is due, and no more", async () => {
    const { paid, due } = await refundDue(1_500)
    expect((await onItsPage(paid)).pay_out).toBeNull()
    expect((await triedFor(paid.orderId, 1_501)).data.code).toBe("above_refund")
    expect(await paidOut(paid, 1_500)).toMatchObject({ problem_id: due.id })
    expect(await seen(due)).toMatchObject({ resolution: "settled", actions: [] })
    expect(await refundsOf(paid)).toEqual([1_500])
  })

  it("is for the one problem that tells what is to go back, however it was asked for", async () => {
    const { paid, excess } = await paidTooMuch()
    await ask(paid, 1_000)
    const ofOrder = { order_id: paid.orderId, closed_at: null }
    const open = await store.module.listProblems(ofOrder)
    expect(open.map(({ id, amount }) => [id, amount])).toEqual([[excess.id, excess.amount]])
    const made = await draftFor(paid.orderId, 1_000)
    expect(made.data.payout).toMatchObject({ problem_id: excess.id })
  })

  it("pays back, without a problem, no more than Medusa holds, and books it", async () => {
    const paid = await buy(2)
    expect((await onItsPage(paid)).pay_out).toEqual({ left: "4280.00", account: "main" })
    expect((await draftFor("order_of_nobody", 1_000)).data.code).toBe("order_holds_nothing")
    expect((await triedFor(paid.orderId, 4_281)).data).toMatchObject({ code: "above_refund" })
    const made = await draftFor(paid.orderId, 2_000)
    expect(made.data.payout).toMatchObject({ account: "main", problem_id: null })
    expect((await onItsPage(paid)).pay_out).toMatchObject({ left: "2280.00" })
    const { id } = made.data.payout
    expect((await anna.delete(`payouts/${id}`)).status).toBe(200)

    const first = await paidOut(paid, 1_500)
    expect(await refundsOf(paid)).toEqual([1_500])
    await paidOut(paid, 1_200)
    expect((await onItsPage(paid)).pay_out).toMatchObject({ left: "1580.00" })
    expect((await triedFor(paid.orderId, 1_581)).data.code).toBe("above_refund")
    const { payouts } = await onItsPage(paid)
    expect(payouts).toMatchObject({ count: 5, smallest: 1_000 })
    const listed = payouts.payouts.find(({ id: listedId }) => listedId === first.id)
    expect(listed).toMatchObject({ state: "created" })
    expect(await refundsOf(paid)).toEqual([1_500, 1_200])
    expect(await open(paid)).toEqual([])
    expect((await onItsPage(paid)).pay_out).toMatchObject({ left: "1580.00" })
    const { data } = await anna.get(`payouts?order_id=${paid.orderId}`)
    expect(data.payouts.map((payout) => payout.id)).toContain(first.id)
  })

  it("is no part of the refund that is asked for afterwards, even if recording that was cut short", async () => {
    const paid = await buy()
    await paidOut(paid, 1_200)
    await ask(paid, 1_000.5)
    const due = await problemOf(paid, "refund_due")
    expect(await seen(due)).toMatchObject({
      amount: "1000.5",
      pay_out: { left: "1000.50", free: "1000.50", parts: [1_000] },
    })
    expect((await triedFor(paid.orderId, 1_001)).data.code).toBe("above_refund")
    expect(await paidOut(paid, 1_000)).toMatchObject({ problem_id: due.id })
    const kopecks = { note: "Cash", amount: "0.5" }
    await dies("refund:booked", due, "refunded-outside", kopecks)
    expect((await triedFor(paid.orderId, 1_000)).data.code).toBe("above_refund")
    await done(due, "refunded-outside", kopecks)
    expect(await refundsOf(paid)).toEqual([1_200, 1_000, 0.5])
    expect(await open(paid)).toEqual([])
  })

  it("belongs to the refund that was asked for before it was sent", async () => {
    const paid = await buy()
    const made = await draftFor(paid.orderId, 1_500)
    await ask(paid, 1_400)
    const due = await problemOf(paid, "refund_due")
    expect(await seen(due)).toMatchObject({ pay_out: { drafts: "1500.00", free: "0.00" } })
    const tooMuch = await send(anna, made.data.payout)
    expect(tooMuch.data.code).toBe("above_refund")
    const { id } = made.data.payout
    const edited = await anna.post(`payouts/${id}`, { amount: 1_400 })
    const sent = await send(anna, edited.data.payout)
    expect(sent.data.payout).toMatchObject({ state: "created", problem_id: due.id })
    expect(await refundsOf(paid)).toEqual([1_400])
    expect(await open(paid)).toEqual([])
  })
}
