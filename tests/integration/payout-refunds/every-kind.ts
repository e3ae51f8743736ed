import { type Admin, logIn } from "../admin"
import { CARDS, type PayoutUser, send, signedIn } from "../payouts/payouts-of"
import { act, openProblem } from "../problems-of"
import { proofs } from "../proofs"
import { type OpenPayment, ordersOf, Shopper } from "../shopper"
import { settledRow, type TestStore } from "../store"
import { tryUntilAPersonIsAsked } from "../try-until-a-person-is-asked"

/** Of the demo's goods, the one of which there is a single piece. */
const LAST_ITEM = 2

/** Money that no order took, of every kind of problem: a payout is offered, made, and recorded. */
export function everyKindOfProblem(store: TestStore): void {
  let admin: Admin
  let boris: PayoutUser
  let shopper: Shopper
  beforeEach(async () => {
    admin = await logIn(store)
    boris = await signedIn(store, "Boris")
    shopper = new Shopper(store)
  })

  const paid = async (payment: OpenPayment, amount?: number) => {
    const { transaction_id: id } = payment.data
    if (amount !== undefined) store.simulator.edit(id, { amount })
    await store.simulator.pay(id)
    return payment
  }
  /** Sold to somebody else meanwhile, so that core refuses the order. */
  const soldOut = async () => {
    const variantId = store.shop.variantIds[LAST_ITEM] ?? ""
    const first = await shopper.checkout("sbp", { variantId })
    const second = await shopper.checkout("sbp", { variantId })
    await paid(first)
    await settledRow(store, first.sessionId)
    await paid(second)
    await tryUntilAPersonIsAsked(store, second)
    return second
  }

  it.each([
    ["amount_differs", async () => await paid(await shopper.checkout("sbp"), 2_500.5)],
    [
      "paid_after_change",
      async () => {
        const payment = await shopper.checkout("sbp")
        await shopper.addItem(payment.cartId, 1)
        return await paid(payment)
      },
    ],
    ["paid_without_order", soldOut],
    [
      "paid_twice",
      async () => {
        const before = await shopper.checkout("sbp")
        const after = await shopper.open(before.cartId, "crypto")
        await paid(after)
        await settledRow(store, after.sessionId)
        return await paid(before)
      },
    ],
  ] as const)("of a problem %s is paid out, recorded, and left alone", async (kind, make) => {
    const payment = await make()
    const orders = (await ordersOf(store, payment.cartId)).length
    const problem = await openProblem(store, payment)
    expect(problem.kind).toBe(kind)
    const { data: shown } = await admin.get(`/admin/payment-service/problems/${problem.id}`)
    const { actions, pay_out: offered } = shown.problem as {
      actions: string[]
      pay_out: { parts: [number]; rest: string; left: string }
    }
    expect(actions).toContain("pay_out")
    const [amount] = offered.parts
    expect(amount).toBe(Math.floor(Number(problem.amount)))
    expect(Number(offered.rest)).toBeCloseTo(Number(problem.amount) - amount, 2)

    const before = store.simulator.payouts().length
    const made = await boris.post("payouts", {
      card_id: CARDS[0],
      amount,
      problem_id: problem.id,
    })
    const sent = await send(boris, made.data.payout)
    expect(sent.data.payout.state).toBe("created")
    expect(
      store.simulator
        .payouts()
        .slice(before)
        .map(({ amountRub }) => amountRub)
    ).toEqual([amount])

    const rest = offered.rest
    if (Number(rest) > 0) {
      const kopecks = { note: "Kopecks", amount: rest }
      expect((await act(admin, problem, "refunded-outside", kopecks)).status).toBe(200)
    }
    expect((await proofs(store)).filter(({ kind }) => kind === "payout")).toMatchObject([
      { amount: String(amount), problem_id: problem.id },
    ])
    expect(
      await store.module.listProblems({
        transaction_id: payment.data.transaction_id,
        closed_at: null,
      })
    ).toEqual([])
    expect(await ordersOf(store, payment.cartId)).toHaveLength(orders)
  })
}
