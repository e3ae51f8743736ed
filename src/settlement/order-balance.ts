import { addAmounts, type AmountInput, compareAmounts } from "./amount"
import { type FoundProblem, problem } from "./problems"

/** Half of the smallest coin: below it, sums differ by how Medusa stores their digits. */
const HALF_A_KOPECK = "0.005"

/** Is there anything left to pay of an order that is owed so much? */
export function isOwed(owed: AmountInput): boolean {
  return compareAmounts(owed, HALF_A_KOPECK) > 0
}

/** An order's money in its own currency: decimal text or Medusa's numbers. */
export interface OrderBalance {
  /** Our name of the order for a person, its number for example. */
  name: string
  orderId: string
  currency: string
  total: AmountInput
  /** What is still to be paid; less than nothing when too much was. */
  outstanding: AmountInput
  /** What people accepted to be missing, when they took other sums than were asked for; negative when it was more. */
  accepted: AmountInput
}

/**
 * The net under all captures: an order that money was taken for is owed as much as a person accepted, and no
 * other sum. Whatever was compared before, anything else is a problem.
 *
 * @returns the problem and the sum that it is about as decimal text, or null when all is in order
 */
export function balanceProblem(
  order: OrderBalance
): { found: FoundProblem<"order_underpaid" | "paid_twice">; amount: string } | null {
  const { name, orderId, total, outstanding, accepted } = order
  const missing = addAmounts(outstanding, negated(accepted))
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

function negated(amount: AmountInput): string {
  const text = addAmounts(amount, "0")
  return text.startsWith("-") ? text.slice(1) : `-${text}`
}
