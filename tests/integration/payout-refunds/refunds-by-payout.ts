import { ordersAndMoney } from "../orders-and-money"
import { CARDS, type PayoutUser, send, signedIn } from "../payouts/payouts-of"
import type { TestStore } from "../store"

export type RefundsByPayout = ReturnType<typeof refundsByPayout>

/** The common steps of the tests of refunds by payout. Anna, who pays out, is there while a test runs. */
export function refundsByPayout(store: TestStore) {
  const people = {} as { anna: PayoutUser }
  beforeEach(async () => {
    people.anna = await signedIn(store, "Anna")
    store.simulator.configure({ usdtBalance: 1_000_000, payoutsEnabled: true })
  })

  /** A draft to a saved card. */
  const draftFor = (body: object) => people.anna.post("payouts", { card_id: CARDS[0], ...body })
  /** Makes a payout and sends it, and what became of it. */
  const paidOut = async (body: { amount: number; order_id?: string; problem_id?: string }) => {
    const made = await draftFor(body)
    expect(made.data).toMatchObject({ payout: { state: "draft", amount: body.amount } })
    return (await send(people.anna, made.data.payout)).data.payout
  }
  /** Makes a payout and sends it; one that is refused is discarded again. */
  const tried = async (body: object) => {
    const made = await draftFor(body)
    if (made.status !== 200) return made
    const sent = await send(people.anna, made.data.payout)
    if (sent.status !== 200) await people.anna.delete(`payouts/${made.data.payout.id}`)
    return sent
  }
  return { people, draftFor, paidOut, tried, ...ordersAndMoney(store) }
}
