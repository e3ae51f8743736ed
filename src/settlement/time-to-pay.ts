import type { Transaction } from "./transaction"

/** A transaction that is still pending counts as expired only this long after its time to pay. */
export const EXPIRY_GRACE_MS = 2 * 60 * 1000

/** Used when the service gave no time to pay. */
const USUAL_TIME_TO_PAY_MS = 60 * 60 * 1000

type Timed = Pick<Transaction, "opened_at" | "expires_at">

/** The end of the time to pay; of the usual time if the service gave none. */
export function endOfTimeToPay(row: Timed): Date {
  return row.expires_at ?? new Date(row.opened_at.getTime() + USUAL_TIME_TO_PAY_MS)
}

/** Whether the time to pay has been over for so long that a pending transaction counts as expired. */
export function isTimeOver(row: Timed, now: Date): boolean {
  return now.getTime() >= endOfTimeToPay(row).getTime() + EXPIRY_GRACE_MS
}
