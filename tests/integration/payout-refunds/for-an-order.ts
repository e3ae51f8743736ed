import { editOrder } from "../order-edits"
import { CARDS } from "../payouts/payouts-of"
import { openProblem } from "../problems-of"
import { reconcileNow } from "../reconcile-now"
import { type Bought, findOrder, Shopper } from "../shopper"
import { type TestStore } from "../store"
import type { RefundsByPayout } from "./refunds-by-payout"

/** Payouts that name an order: refunds of its open problem. */
export function payoutsForAnOrder(store: TestStore, refunds: RefundsByPayout): void {
  const { admin, buy, refund, ask, problemOf, seen, recordedOnly, isBookedLater, refundDue } =
    refunds
  const { paidTooMuch, refundsOf, isEven, people, tried } = refunds
  let { anna } = people
  beforeEach(() => {
    ;({ anna } = people)
  })

  const draftFor = (order_id: string, amount: number) => refunds.draftFor({ amount, order_id })
  const triedFor = (order_id: string, amount: number) => tried({ amount, order_id })
  const paidOut = async ({ orderId }: Bought, amount: number) => {
    const payout = await refunds.paidOut({ amount, order_id: orderId })
    expect(payout).toMatchObject({ state: "created", amount, order_id: orderId })
    return payout
  }

  it("pays back the refund that is due, and no more", async () => {
    const { paid, due } = await refundDue(1_500)
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

  it("is refused while several problems tell what is to go back", async () => {
    const paid = await buy(2)
    await editOrder(store, admin, paid.orderId, { add: 1 })
    const { payment_collections: collections } = await findOrder(store, paid.orderId)
    const link = collections.find(({ id }) => id !== paid.collectionId)?.id ?? ""
    const late = await new Shopper(store).openIn(link, "")
    await editOrder(store, admin, paid.orderId, "take away")
    await reconcileNow(store)
    const excess = await problemOf(paid, "paid_twice")
    await store.simulator.pay(late.data.transaction_id)
    await openProblem(store, late)
    const { status, data } = await draftFor(paid.orderId, 1_000)
    expect([status, data.code]).toEqual([400, "several_problems"])
    expect(data.messages.en).toContain("Choose which one")
    expect(data.messages.ru).toContain("Выберите, по какой")
    const named = { problem_id: excess.id, order_id: paid.orderId, amount: 1_000 }
    const chosen = await anna.post("payouts", { card_id: CARDS[0], ...named })
    expect(chosen.data.payout).toMatchObject({ problem_id: excess.id })
  })

  it("is refused without a problem that asks for money back (promise 18)", async () => {
    const paid = await buy()
    for (const orderId of [paid.orderId, "order_of_nobody"]) {
      expect((await draftFor(orderId, 1_000)).data.code).toBe("no_refund_due")
    }
  })

  it("is no part of the refund that is asked for afterwards, even if recording that was cut short", async () => {
    const paid = await buy()
    await ask(paid, 1_200)
    await paidOut(paid, 1_200)
    await ask(paid, 1_000.5)
    const due = await problemOf(paid, "refund_due")
    expect(await seen(due)).toMatchObject({
      amount: "1000.5",
      pay_out: { left: "1000.50", free: "1000.50", parts: [1_000] },
    })
    expect((await triedFor(paid.orderId, 1_001)).data.code).toBe("above_refund")
    expect(await paidOut(paid, 1_000)).toMatchObject({ problem_id: due.id })
    await recordedOnly("refund:booked", due, { note: "Cash", amount: "0.5" })
    expect((await triedFor(paid.orderId, 1_000)).data.code).toBe("no_refund_due")
    await isBookedLater(paid, [1_200, 1_000, 0.5])
  })

  it("is booked at once, so that Medusa's own refund of the same money is refused", async () => {
    const paid = await buy()
    await ask(paid, 1_500)
    await paidOut(paid, 1_500)
    expect((await refund(paid, 1_500)).status).toBe(400)
    await isEven(paid)
    expect(await refundsOf(paid)).toEqual([1_500])
    await ask(paid, 700)
    expect(await problemOf(paid, "refund_due")).toMatchObject({ amount: "700" })
  })
}
