import { addAmounts, compareAmounts, sumOf, toWireAmount } from "./amount"

/** A refund that core asked for; a negative amount is a person's answer to earlier requests. Decimal text. */
export interface AskedRefund {
  amount: string
  /** ISO 8601. */
  at: string
  /** Core's refund that was refused. */
  refund_id?: string | null
}

/** The facts that decide how much of a payment must be paid back. */
export interface Refundable {
  /** Oldest first. */
  asked: AskedRefund[]
  /** The money that Medusa holds of this payment: captures minus refunds. */
  held: string
  /** Its order was canceled, and no person has said since then that the store may keep the money. */
  isAllDue: boolean
  /** The service took the money back itself. */
  isReversed: boolean
}

/**
 * The sum of a payment that must be paid back: the unanswered requests, or everything when all is due. It is never more than
 * Medusa holds, and nothing when the service took the money back itself.
 *
 * @returns decimal text, `"0"` for less than half a kopeck
 */
export function refundDue({ asked, held, isAllDue, isReversed }: Refundable): string {
  const open = sumOf(asked.map(({ amount }) => amount))
  const due = isAllDue || compareAmounts(open, held) > 0 ? held : open
  return isReversed || compareAmounts(toWireAmount(due), 0) <= 0 ? "0" : due
}

/** The requests after the last moment at which none was open, oldest first. */
export function openRequests(asked: AskedRefund[]): AskedRefund[] {
  let open = "0"
  let since = 0
  asked.forEach(({ amount }, index) => {
    open = addAmounts(open, amount)
    if (compareAmounts(open, 0) <= 0) since = index + 1
  })
  return asked.slice(since).filter(({ amount }) => compareAmounts(amount, 0) > 0)
}
