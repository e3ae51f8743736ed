import type { ProblemRow, TransactionRow } from "../modules/payment-service"
import { reportAndOfferRest } from "../payments/apply-decision"
import { proveAndBookRefund } from "../payments/book-refund"
import type { SettlePorts } from "../payments/core"
import { paidSum } from "../payments/rules/transaction"
import { inRubles } from "../payouts/rules/payout"
import { refused } from "../refusals/refused"
import {
  compareSums,
  inKopecks,
  subtractAmounts,
  toDecimalText,
  toWireAmount,
} from "../values/amount"
import {
  findMoneyBack,
  isOfOrdersMoney,
  type MoneyBack,
  requireSame,
  requireSeen,
} from "./money-back"
import { closeHandledPayment, doAction, requireTransaction } from "./open-problem"

export interface RefundOutsideInput {
  problem_id: string
  /** The sum that the admin saw with the problem, as decimal text; null only where it shows none. */
  amount: string | null
  /** The sum that went back by another way than payouts, as decimal text; null when that is all of what is due. */
  part: string | null
  /** The way in which the money went back; kept with the proof and the refund. */
  note: string
  given_by: string | null
}

/**
 * Records that the money went back by another way than the service. If Medusa holds the payment, that is the refund proof against
 * which it books a refund: once, even if this runs twice or is killed in between.
 */
export async function recordRefundOutside(
  ports: SettlePorts,
  { problem_id, amount, part, note, given_by: by }: RefundOutsideInput
) {
  const action = "refunded_outside"
  const { module } = ports
  let isBooked = true
  await doAction(ports, { problem_id, action, by }, async ({ problem, row: found }) => {
    const row = requireTransaction(found)
    // The service confirms the payment again, and the problem is about to be closed.
    if (problem.kind === "reversed" && row.exception !== "reversed") throw refused("problem_closed")
    const closed = { resolution: action, by, note } as const
    const money = await findMoneyBack(ports, problem, row)
    requireSeen(amount, money.atStake, problem)
    if (money.isHeld) {
      const outside = amountOutside(problem, row, { said: part ?? money.due, money })
      const kind = problem.kind === "reversed" ? ("reversed" as const) : ("outside" as const)
      if (!isNothing(outside)) {
        const proof = { kind, problem_id, amount: outside, note, by }
        isBooked = await proveAndBookRefund(ports, { row, proof })
      }
      await module.problems.closeByPerson(problem_id, closed)
      // A sum that is still due opens a new problem; if nothing is due, an open one is closed.
      if (row.order_id) await reportAndOfferRest(ports, row.order_id)
    } else {
      requireKnown(money, money.due)
      const left = requireSame(part ?? money.due, { amount: money.due, currency: row.currency })
      const back = isNothing(left) ? null : inKopecks({ ...paidSum(row), amount: left })
      await closeHandledPayment(ports, row, () =>
        module.problems.closeByPerson(problem_id, closed, { of: row.id, back })
      )
      // No order is made of it any more, so this only keeps Medusa's payment from being refunded again.
      if (money.isCaptured) await proveAndBookRefund(ports, { row, proof: null })
    }
  })
  return {
    problem_id,
    /** Whether Medusa books it only when the open change of the order has ended. */
    waits_for_change: !isBooked,
  }
}

/**
 * The sum that Medusa books, with all its decimals. Of an order's money, it is the rest of what must go back or a part in
 * kopecks; else the rest of the problem's sum, but no more than Medusa still holds. What was recorded before decides alone.
 */
function amountOutside(
  problem: ProblemRow,
  { currency }: TransactionRow,
  { said, money }: { said: string; money: MoneyBack }
): string {
  const { due, bookable, begun } = money
  const all = { amount: due, currency }
  if (!isNothing(begun)) return requireSame(said, { amount: begun, currency })
  if (isOfOrdersMoney(problem)) {
    const part = toWireAmount(said)
    const isPart = compareSums(part, "0.01") >= 0 && compareSums(part, due) < 0
    return requireKnown(money, isPart ? toDecimalText(part) : requireSame(said, all))
  }
  const back = requireSame(said, all)
  return requireKnown(money, compareSums(back, bookable) < 0 ? back : bookable)
}

/** Requires that unknown payouts cannot have paid the same money back. */
function requireKnown({ due, paidBack: { underWay } }: MoneyBack, outside: string): string {
  if (underWay > 0 && compareSums(outside, subtractAmounts(due, underWay)) > 0) {
    throw refused("payouts_under_way", { underWay: inRubles(String(underWay)) })
  }
  return outside
}

const isNothing = (amount: string) => compareSums(amount, 0) === 0
