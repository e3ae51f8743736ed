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

/** Answers are seconds apart, so ends that differ by less are the same. */
const SAME_END_MS = 10_000
/** A service may always say the same time left: no attempt is open for longer than this. */
const LONGEST_TIME_TO_PAY_MS = 7 * 24 * 60 * 60_000

/**
 * The end of the time to pay after an answer that calls the transaction payable: each answer may move it, because the payer may pay
 * as long as the service says so. An answer without a time that is left moves nothing.
 */
export function endAfter(
  { opened_at, expires_at }: Timed,
  { askedAt, secondsLeft }: { askedAt: Date; secondsLeft: number | null }
): Date | null {
  if (!secondsLeft) return expires_at
  const latest = opened_at.getTime() + LONGEST_TIME_TO_PAY_MS
  const end = Math.min(askedAt.getTime() + secondsLeft * 1_000, latest)
  return Math.abs(end - Number(expires_at)) < SAME_END_MS ? expires_at : new Date(end)
}

/** Whether the time to pay has been over for so long that a pending transaction counts as expired. */
export function isTimeOver(row: Timed, now: Date): boolean {
  return now.getTime() >= endOfTimeToPay(row).getTime() + EXPIRY_GRACE_MS
}
