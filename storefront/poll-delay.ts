import { hasOrder, type PaymentStatus } from "./payment-status.js"

const LIVE_MS = 2_000
const SLOW_MS = 10_000
const LONGEST_MS = 20_000

/** An order that is missing this long after its payment is more than a short delay. */
export const PLACING_MS = 30_000

/**
 * Milliseconds until the next look; null when nothing can change any more. A declined or expired payment is still looked at,
 * slowly, because banks sometimes deliver late.
 */
export function pollDelay(status: PaymentStatus, paidForMs: number): number | null {
  if (status.state === "paid") {
    return hasOrder(status) ? null : paidForMs < PLACING_MS ? LIVE_MS : LIVE_MS * 2
  }
  // A newer plugin in the store may have further states.
  return status.state === "pending" || status.state === "replaced" ? LIVE_MS : SLOW_MS
}

/** The pause doubles with each failed look in a row. */
export function backOff(failures: number): number {
  return Math.min(LIVE_MS * 2 ** failures, LONGEST_MS)
}
