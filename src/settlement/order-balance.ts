import {
  absoluteAmount,
  addAmounts,
  type AmountInput,
  compareAmounts,
  subtractAmounts,
} from "./amount"
import { type FoundProblem, problem } from "./problems"

/** Sums that differ by no more are equal: only the stored digits differ. */
const HALF_A_KOPECK = "0.005"

/** Whether more than half a kopeck is owed, so that there is something left to pay. */
export function isOwed(owed: AmountInput): boolean {
  return compareAmounts(owed, HALF_A_KOPECK) > 0
}

/** Whether two sums are equal apart from how Medusa stores their digits, for example on a cart and on an order. */
export function isSameButForDigits(left: AmountInput, right: AmountInput): boolean {
  return compareAmounts(absoluteAmount(subtractAmounts(left, right)), HALF_A_KOPECK) <= 0
}

/** An order's money in its own currency: decimal text or Medusa's numbers. */
export interface OrderBalance {
  /** The order's name for a person, for example its number. */
  name: string
  orderId: string
  currency: string
  worth: AmountInput
  paid: AmountInput
  /** The sum that is still to be paid; negative when too much was paid. */
  outstanding: AmountInput
  /** The sum by which people accepted less than was asked for, in total; negative when they accepted more. */
  accepted: AmountInput
}

/** A problem, and the sum that it is about as decimal text. */
export interface BalanceProblem {
  found: FoundProblem<"order_underpaid" | "paid_twice">
  amount: string
}

/**
 * The last check after every capture: an order may be underpaid or overpaid only by what people accepted. Any other balance is a
 * problem, whatever was compared before.
 *
 * @returns null when all is in order
 */
export function balanceProblem(order: OrderBalance): BalanceProblem | null {
  const { name, orderId, worth, paid, outstanding, accepted } = order
  const missing = without(outstanding, accepted)
  const sum = (amount: AmountInput) => ({
    amount: addAmounts(amount, "0"),
    currency: order.currency.toUpperCase(),
  })
  const facts = { order: orderId, name, worth: sum(worth), paid: sum(paid) }
  if (isOwed(missing)) {
    return { found: problem("order_underpaid", { ...facts, owed: sum(missing) }), amount: missing }
  }
  // A refund and an edit can make an order worth less than nothing, but no more goes back than was paid.
  const excess = compareAmounts(negated(missing), paid) > 0 ? addAmounts(paid, 0) : negated(missing)
  return compareAmounts(excess, HALF_A_KOPECK) > 0
    ? { found: problem("paid_twice", { ...facts, excess: sum(excess) }), amount: excess }
    : null
}

/**
 * The problem of an excess as far as one payment holds it, because a refund belongs to one payment. The rest is a problem of
 * another payment when this one is over.
 *
 * @param held the sum that Medusa holds of that payment, as decimal text
 */
export function partOfExcess({ found, amount }: BalanceProblem, held: string): BalanceProblem {
  const { facts } = found as FoundProblem<"paid_twice">
  if (!("excess" in facts) || compareAmounts(held, amount) >= 0) return { found, amount }
  const part = { ...facts.excess, amount: held }
  return { found: problem("paid_twice", { ...facts, part }), amount: held }
}

/**
 * The outstanding sum minus the accepted difference. The order may by now be worth another sum than was asked for, so the
 * accepted difference can bring the result to zero but never change its sign.
 */
function without(outstanding: AmountInput, accepted: AmountInput): string {
  const left = addAmounts(outstanding, negated(accepted))
  const [before, explained, after] = [outstanding, accepted, left].map((amount) =>
    compareAmounts(amount, 0)
  )
  if (before !== explained) return addAmounts(outstanding, "0")
  return after === before ? left : "0"
}

function negated(amount: AmountInput): string {
  const text = addAmounts(amount, "0")
  return text.startsWith("-") ? text.slice(1) : `-${text}`
}
