import { addAmounts, type AmountInput, compareAmounts } from "./amount"
import { causeOfBalance } from "./cause"
import type { FoundProblem } from "./problem"

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
): { found: FoundProblem; amount: string } | null {
  const { name, orderId, total, outstanding, accepted } = order
  const missing = addAmounts(outstanding, negated(accepted))
  const worth = `Order ${name} is worth ${inWords(order, total)}`
  const paid = inWords(order, addAmounts(total, negated(outstanding)))
  if (isOwed(missing)) {
    const message =
      `${worth}, and ${paid} were paid: ${inWords(order, missing)} are owed. ` +
      "Send the customer a payment link, or mark this as handled if it is as it should be."
    return {
      found: { kind: "order_underpaid", cause: causeOfBalance(orderId), message },
      amount: missing,
    }
  }
  const excess = negated(missing)
  if (compareAmounts(excess, HALF_A_KOPECK) > 0) {
    const message = `${worth}, and ${paid} were paid: ${inWords(order, excess)} too much.`
    return {
      found: { kind: "paid_twice", cause: causeOfBalance(orderId), message },
      amount: excess,
    }
  }
  return null
}

function negated(amount: AmountInput): string {
  const text = addAmounts(amount, "0")
  return text.startsWith("-") ? text.slice(1) : `-${text}`
}

function inWords({ currency }: OrderBalance, amount: AmountInput): string {
  return `${addAmounts(amount, "0")} ${currency.toUpperCase()}`
}
