import { WallClock } from "../local-days"
import type { LimitRefusal } from "./refusals"

/** In whole rubles. A limit that is not given does not apply. */
interface PayoutLimits {
  perPayout: number
  perDay?: number
  perUserPerDay?: number
}

/** The part of a day's limits that other payouts use up, in whole rubles. */
export interface HeldLimits {
  byAll: number
  byUser: number
}

/** An unsent draft uses up limits for this long. */
export const DRAFT_HOLDS_MS = 60 * 60_000
/** The admin is asked to confirm a payout with the same card and amount as another one within this time. */
export const SIMILAR_MS = 10 * 60_000

/** The day of a time zone, `YYYY-MM-DD`. */
export function localDay(now: Date, timeZone: string): string {
  return new Date(new WallClock(timeZone).wallOf(now)).toISOString().slice(0, 10)
}

/** The limit that a payout would break, or null. */
export function brokenLimit(
  amount: number,
  held: HeldLimits,
  { perPayout, perDay, perUserPerDay }: PayoutLimits
): LimitRefusal | null {
  if (amount > perPayout) return { code: "above_per_payout", limit: perPayout }
  const left = leftOf(held, { perDay, perUserPerDay })
  if (left.byAll !== null && amount > left.byAll) return { code: "above_per_day", left: left.byAll }
  return left.byUser !== null && amount > left.byUser
    ? { code: "above_per_user_per_day", left: left.byUser }
    : null
}

/** The rest of a day's limits; null where there is none. */
export function leftOf(
  held: HeldLimits,
  { perDay, perUserPerDay }: Pick<PayoutLimits, "perDay" | "perUserPerDay">
): { byAll: number | null; byUser: number | null } {
  const rest = (limit: number | undefined, used: number) =>
    limit === undefined ? null : Math.max(0, limit - used)
  return { byAll: rest(perDay, held.byAll), byUser: rest(perUserPerDay, held.byUser) }
}
