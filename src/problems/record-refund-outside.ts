import type { ProblemRow, TransactionRow } from "../modules/payment-service"
import { reportAndOfferRest } from "../payments/apply-decision"
import { bookWaiting } from "../payments/book-refund"
import { requireLock, type SettlePorts } from "../payments/core"
import { paidSum } from "../payments/rules/transaction"
import { inRubles } from "../payouts/rules/payout"
import { reasonOf, refused } from "../refusals/refused"
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
 * Records that the money went back by another way than the service. The proof of that is written with the problem's end; if Medusa
 * holds the payment, it books a refund against it: once, even if this is killed in between, because the watcher books it then.
 */
export async function recordRefundOutside(
  ports: SettlePorts,
  { problem_id, amount, part, note, given_by: by }: RefundOutsideInput
) {
  const action = "refunded_outside"
  const { problems, logger } = ports.module
  let isBooked = false
  await doAction(ports, { problem_id, action, by }, async ({ problem, row: found }) => {
    const row = requireTransaction(found)
    // The service confirms the payment again, and the problem is about to be closed.
    if (problem.kind === "reversed" && row.exception !== "reversed") throw refused("problem_closed")
    const money = await findMoneyBack(ports, problem, row)
    requireSeen(amount, money.atStake, problem)
    const { isHeld } = money
    const outside = amountOutside(problem, row, { said: part ?? money.due, money })
    const back = { amount: outside, currency: paidSum(row).currency }
    const closed = { resolution: action, by, note } as const
    const close = () =>
      problems.closeByPerson(problem_id, closed, { isHeld, back: isNothing(outside) ? null : back })
    requireLock()
    await (isHeld ? close() : closeHandledPayment(ports, row, close))
    isBooked = await bookWaiting(ports, row).catch((error: unknown) => {
      logger.warn(`Payment Service: the refund of ${row.id} is booked later: ${reasonOf(error)}`)
      return false
    })
    // A sum that is still due opens a new problem; if nothing is due, an open one is closed.
    if (isHeld && row.order_id) await reportAndOfferRest(ports, row.order_id)
  })
  return {
    problem_id,
    /** Whether Medusa books it only later, because the order is being changed for example. */
    waits_for_change: !isBooked,
  }
}

/**
 * The sum that went back. Of an order's money, it is the rest of what must go back, with all its decimals, or a part in kopecks; else
 * the rest of the problem's sum, but no more than Medusa still holds if it has taken the payment.
 */
function amountOutside(
  problem: ProblemRow,
  { currency }: TransactionRow,
  { said, money }: { said: string; money: MoneyBack }
): string {
  const { due, bookable, isHeld } = money
  const all = { amount: due, currency }
  if (!isHeld) {
    requireKnown(money, due)
    return inKopecks({ amount: requireSame(said, all) }).amount
  }
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
