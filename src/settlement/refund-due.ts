import { addAmounts, compareAmounts, toWireAmount } from "./amount"

/** A refund that was asked for; of less than nothing, one that was answered. Amounts are decimal text. */
export interface AskedRefund {
  amount: string
  /** ISO 8601. */
  at: string
}

/** What decides how much of a payment is to be paid back. */
export interface Refundable {
  /** In the order in which it happened. */
  asked: AskedRefund[]
  /** What Medusa holds of the payment: captures less refunds. */
  held: string
  /** Its order was canceled, and no person has said since that what is held may stay. */
  isAllDue: boolean
  /** The service took the money back itself. */
  isReversed: boolean
}

/**
 * How much of a payment is to be paid back: all that was asked for and did not go back yet, never more than
 * Medusa holds, and nothing that the service took back already. Decimal text, `"0"` for less than half a kopeck.
 */
export function refundDue({ asked, held, isAllDue, isReversed }: Refundable): string {
  const open = asked.reduce((sum, { amount }) => addAmounts(sum, amount), "0")
  const due = isAllDue || compareAmounts(open, held) > 0 ? held : open
  return isReversed || compareAmounts(toWireAmount(due), 0) <= 0 ? "0" : due
}

/** What was asked for since nothing was open, in the order in which it was. */
export function openRequests(asked: AskedRefund[]): AskedRefund[] {
  let open = "0"
  let since = 0
  asked.forEach(({ amount }, index) => {
    open = addAmounts(open, amount)
    if (compareAmounts(open, 0) <= 0) since = index + 1
  })
  return asked.slice(since).filter(({ amount }) => compareAmounts(amount, 0) > 0)
}
