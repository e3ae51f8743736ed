import { addAmounts, compareAmounts, toWireAmount } from "./amount"

/** A refund that core asked for; a negative amount is a person's answer to earlier ones. Decimal text. */
export interface AskedRefund {
  amount: string
  /** ISO 8601. */
  at: string
  /** Core's refund that was refused. */
  refund_id?: string | null
}

/** The facts that decide how much of a payment is to be paid back. */
export interface Refundable {
  /** In the order in which it happened. */
  asked: AskedRefund[]
  /** The money that Medusa holds of the payment: captures less refunds. */
  held: string
  /** Its order was canceled, and no person has said since that what is held may stay. */
  isAllDue: boolean
  /** The service took the money back itself. */
  isReversed: boolean
}

/**
 * How much of a payment is to be paid back: what was asked for and not answered yet, or everything when all
 * is due. Never more than Medusa holds, and nothing when the service took the money back itself.
 *
 * @returns decimal text, `"0"` for less than half a kopeck
 */
export function refundDue({ asked, held, isAllDue, isReversed }: Refundable): string {
  const open = asked.reduce((sum, { amount }) => addAmounts(sum, amount), "0")
  const due = isAllDue || compareAmounts(open, held) > 0 ? held : open
  return isReversed || compareAmounts(toWireAmount(due), 0) <= 0 ? "0" : due
}

/** The requests since nothing was open the last time, oldest first. */
export function openRequests(asked: AskedRefund[]): AskedRefund[] {
  let open = "0"
  let since = 0
  asked.forEach(({ amount }, index) => {
    open = addAmounts(open, amount)
    if (compareAmounts(open, 0) <= 0) since = index + 1
  })
  return asked.slice(since).filter(({ amount }) => compareAmounts(amount, 0) > 0)
}
