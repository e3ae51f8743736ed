import { isOwed, subtractAmounts } from "./amount"
import { isPaidAndNotHandled, standingOf } from "./standing"
import { isTimeOver, type Transaction } from "./transaction"

/**
 * The payments of an order, first the one that says what became of it: the newest with money that nobody has taken care of, else
 * the newest. An attempt that was opened later may be unpaid while an earlier one paid the order.
 */
export function withMoneyFirst<Row extends Transaction>(payments: Row[]): Row[] {
  const newest = payments.toSorted((a, b) => b.opened_at.getTime() - a.opened_at.getTime())
  return [
    ...newest.filter(isPaidAndNotHandled),
    ...newest.filter((payment) => !isPaidAndNotHandled(payment)),
  ]
}

/**
 * The payment of an order that its customer may be asked to pay: the newest that can be paid. There is none while the money of
 * another one waits for Medusa or a person, or when it asks for more than is owed.
 *
 * @param owed the sum that is still to be paid for the order; null for a canceled one
 */
export function paymentToOffer<Row extends Transaction>(
  payments: Row[],
  owed: string | null,
  now: Date
): Row | null {
  const [newest] = withMoneyFirst(payments).filter(
    (payment) => standingOf(payment) === "payable" && !isTimeOver(payment, now)
  )
  const isWaiting = payments
    .filter(isPaidAndNotHandled)
    .some((payment) => standingOf(payment) !== "settled")
  if (!newest || owed === null || isWaiting) return null
  return isOwed(subtractAmounts(newest.amount, owed)) ? null : newest
}
