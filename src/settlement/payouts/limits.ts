import { clockOf } from "../local-days"
import type { LimitRefusal } from "./refusals"

/** A payout whose outcome stays unknown for this long becomes a problem. */
export const PAYOUT_UNKNOWN_MS = 10 * 60_000

/** The day of a time zone, `YYYY-MM-DD`. */
export function localDay(now: Date, timeZone: string): string {
  return clockOf(timeZone)(now).slice(0, 10)
}

/**
 * The limit that a payout would break on a day of which others have used up a part, or null. Amounts are whole rubles; without
 * `perDay`, only each payout is limited.
 */
export function brokenLimit(
  amount: number,
  used: number,
  { perPayout, perDay }: { perPayout: number; perDay?: number }
): LimitRefusal | null {
  if (amount > perPayout) return { code: "above_per_payout", limit: perPayout }
  const left = leftOf(used, perDay)
  return left !== null && amount > left ? { code: "above_per_day", left } : null
}

/** The rest of a day's limit; null where there is none. */
export function leftOf(used: number, perDay: number | undefined): number | null {
  return perDay === undefined ? null : Math.max(0, perDay - used)
}
