import {
  absoluteAmount,
  addAmounts,
  type AmountInput,
  compareAmounts,
  subtractAmounts,
} from "./amount"
import { type FoundProblem, problem } from "./problems"

/** Sums that differ by less are equal: they differ only by how Medusa stores their digits. */
const HALF_A_KOPECK = "0.005"

/** Whether more than half a kopeck is owed, so that there is something left to pay. */
export function isOwed(owed: AmountInput): boolean {
  return compareAmounts(owed, HALF_A_KOPECK) > 0
}

/** Whether two sums are equal but for how Medusa stores their digits: on a cart and on an order, for example. */
export function isSameButForDigits(left: AmountInput, right: AmountInput): boolean {
  return compareAmounts(absoluteAmount(subtractAmounts(left, right)), HALF_A_KOPECK) <= 0
}

/** An order's money in its own currency: decimal text or Medusa's numbers. */
export interface OrderBalance {
  /** The order's name for a person, for example its number. */
  name: string
  orderId: string
  currency: string
  total: AmountInput
  /** The sum that is still to be paid; negative when too much was paid. */
  outstanding: AmountInput
  /** How much less than asked for people have accepted, in total; negative when they accepted more. */
  accepted: AmountInput
}

/**
 * The last check after every capture: a paid order may only be owed what people accepted to be missing, and be paid too
 * much only by what they accepted beyond the sum. Any other balance is a problem, whatever was compared before.
 *
 * @returns the problem and the sum that it is about as decimal text, or null when all is in order
 */
export function balanceProblem(
  order: OrderBalance
): { found: FoundProblem<"order_underpaid" | "paid_twice">; amount: string } | null {
  const { name, orderId, total, outstanding, accepted } = order
  const missing = without(outstanding, accepted)
  const sum = (amount: AmountInput) => ({
    amount: addAmounts(amount, "0"),
    currency: order.currency.toUpperCase(),
  })
  const facts = {
    order: orderId,
    name,
    worth: sum(total),
    paid: sum(addAmounts(total, negated(outstanding))),
  }
  if (isOwed(missing)) {
    return { found: problem("order_underpaid", { ...facts, owed: sum(missing) }), amount: missing }
  }
  const excess = negated(missing)
  return compareAmounts(excess, HALF_A_KOPECK) > 0
    ? { found: problem("paid_twice", { ...facts, excess: sum(excess) }), amount: excess }
    : null
}

/**
 * The rest of an outstanding sum besides the accepted one. An accepted sum was compared with the sum that was asked for,
 * and the order may be worth another one: it explains what is outstanding, and never turns it round.
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
