import { editOrder } from "../order-edits"
import type { Bought } from "../shopper"
import { settledRow, type TestStore } from "../store"
import type { RefundsByPayout } from "./refunds-by-payout"

/** A refund that an admin asks for on the page of a payment or an order, and what it leads to. */
export function askedRefunds(store: TestStore, refunds: RefundsByPayout): void {
  const { admin, shopper, buy, ask, problemOf, refundsOf, paidOut, done, open, openOfOrder } =
    refunds

  const pageOf = async ({ data: { transaction_id: id } }: Pick<Bought, "data">) => {
    const { data } = await admin.get(`/admin/payment-service/transactions/${id}`)
    return data.transaction as { standing: string; refundable_amount: string | null }
  }
  const refund = async (
    payment: Pick<Bought, "data">,
    amount: string,
    held = "2290"
  ): Promise<[status: number, code: unknown]> => {
    const id = payment.data.transaction_id
    const body = { amount, held }
    const answer = await admin.post(`/admin/payment-service/transactions/${id}/refund`, body)
    return [answer.status, answer.data.code]
  }
  const HELD = "2290"

  it("asks for a part once, however often and in whichever way, and a payout for it books the refund by itself (promise 18)", async () => {
    const paid = await buy()
    expect(await pageOf(paid)).toMatchObject({ standing: "settled", refundable_amount: HELD })
    // One after the other has the order, and who waits too long on a busy machine is sent away.
    const answers = await Promise.all([1, 2, 3].map(() => refund(paid, "1200")))
    expect(new Set(answers.map(([status]) => status))).toEqual(new Set([200]))
    const due = await problemOf(paid, "refund_due")
    expect(due.amount).toBe("1200")
    // Medusa's own button asks for the same sum again, and more is asked for here.
    expect(await refund(paid, "1100")).toEqual([200, undefined])
    expect((await problemOf(paid, "refund_due")).amount).toBe("1200")
    expect(await refund(paid, "1500.50")).toEqual([200, undefined])
    const more = await problemOf(paid, "refund_due")
    expect(more).toMatchObject({ id: due.id, amount: "1500.5" })

    await paidOut({ amount: 1_500, problem_id: due.id })
    expect(await refundsOf(paid)).toEqual([1_500])
    await done(await problemOf(paid, "refund_due"), "refunded-outside", { note: "Cash" })
    expect(await refundsOf(paid)).toEqual([1_500, 0.5])
    expect(await open(paid)).toEqual([])
    expect(await pageOf(paid)).toEqual(
      expect.objectContaining({ standing: "partly_refunded", refundable_amount: "789.5" })
    )
  })

  it("refuses more than Medusa holds, and a sum that the admin did not see (decision 21)", async () => {
    const paid = await buy()
    expect(await refund(paid, "2290.01")).toEqual([400, "more_than_held"])
    expect(await refund(paid, "10", "2289")).toEqual([400, "other_sum_held"])
    expect((await refund(paid, "0"))[0]).toBe(400)
    expect(await open(paid)).toEqual([])
    // Medusa's own button leads to ours, in the admin's language.
    expect((await ask(paid, 100)).message).toContain('use the button "Refund"')
    const { data } = await admin.post(
      `/admin/payments/${paid.paymentId}/refund`,
      { amount: 100 },
      { "accept-language": "ru" }
    )
    expect(data.message).toContain("нажмите «Вернуть деньги»")
    expect(await refundsOf(paid)).toEqual([])
  })

  it("refuses to ask for money that is not there, or that the service took back itself", async () => {
    const payment = await shopper.checkout("sbp")
    expect(await pageOf(payment)).toMatchObject({ refundable_amount: null })
    expect(await refund(payment, "10", HELD)).toEqual([400, "nothing_held"])
    await store.simulator.pay(payment.data.transaction_id)
    await settledRow(store, payment.sessionId)
    store.simulator.edit(payment.data.transaction_id, { status: "CHARGEBACKED" })
    // Its callback was lost: the service is asked before anybody is told to pay back.
    expect(await refund(payment, "10", HELD)).toEqual([400, "refund_of_reversed"])
  })

  it("asks for the money of each payment of an order, and for none twice (promise 9)", async () => {
    const paid = await buy()
    await editOrder(store, admin, paid.orderId, { add: 1 })
    const rest = await refunds.openRest(paid)
    await refunds.pay(rest)
    const held = (await pageOf(rest)).refundable_amount ?? ""
    const due = async () => (await openOfOrder(paid)).map(({ amount }) => Number(amount))
    expect(await refund(paid, HELD)).toEqual([200, undefined])
    expect(await due()).toEqual([2_290])
    expect(await refund(rest, held, held)).toEqual([200, undefined])
    expect(await refund(rest, held, held)).toEqual([200, undefined])
    // The problem names one payment, and the rest is told of when that one has gone back.
    expect(await due()).toEqual([2_290])
    await done(await problemOf(paid, "refund_due"), "refunded-outside", { note: "Cash" })
    expect(await due()).toEqual([Number(held)])
    await done(await problemOf(rest, "refund_due"), "refunded-outside", { note: "Cash" })
    expect(await due()).toEqual([])
  })
}
