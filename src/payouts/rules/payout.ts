import type { Code, Sum } from "../../texts"
import { remainder, toWireAmount } from "../../values/amount"
import { clockOf } from "../../values/local-days"

/** The smallest and the largest payout that the service makes, in whole rubles. */
export const SMALLEST_PAYOUT = 1_000
export const LARGEST_PAYOUT = 87_500
export const PAYOUT_CURRENCY = "RUB"

/** A sum in the currency of payouts; the amount is decimal text. */
export const inRubles = (amount: string): Sum => ({ amount, currency: PAYOUT_CURRENCY })

/** The states of a payout. The service reports none after `created`; a person may have marked what they found in its account area. */
export const PAYOUT_STATES = [
  "draft", // Nothing was sent.
  "awaiting_approval", // The same, and a second admin must approve it first.
  "sending", // Its request may be under way.
  "created", // The service said so.
  "rejected", // The service refused the first request, or it was not made, so no money went.
  "unknown", // A request may have gone through; only the same request again, or a person, can tell.
  "marked_sent",
  "marked_not_sent",
  "discarded", // It was given up before anything was sent.
] as const
export type PayoutState = (typeof PAYOUT_STATES)[number]

/** The facts of each kind of entry in the journal of payouts, which is their audit. Amounts are whole rubles. */
export interface PayoutFacts {
  made: { amount: number; card: string | null; note: string | null }
  edited: PayoutFacts["made"]
  approved: { amount: number; card: string | null }
  discarded: Record<string, never>
  /** A request is about to be made; `attempt` counts them. */
  sending: { attempt: number; amount: number; card: string | null }
  /** The answer to a request. It is late when somebody had already taken the payout for lost. */
  answered: {
    attempt: number
    state: PayoutState
    reason: string | null
    http_status: number | null
    late: boolean
  }
  /** The request was not made after all: payouts were stopped meanwhile, or the server was too slow. */
  not_sent: { attempt: number; reason: "payouts_stopped" | "too_slow" }
  /** The process that was sending it did not come back. */
  lost: { attempt: number }
  marked: { sent: boolean; note: string }
  /** Another number was typed than before. */
  wrong_number: Record<string, never>
}
export type PayoutEntryKind = keyof PayoutFacts

/** The facts of entries about all the store's payouts: they are stopped or not any more; `payouts.users` names others than before. */
export interface StoreFacts {
  stopped: Record<string, never>
  resumed: Record<string, never>
  users_changed: { users: string[]; added: string[]; removed: string[] }
}

/** A payout whose outcome stays unknown for this long becomes a problem. */
export const PAYOUT_UNKNOWN_MS = 10 * 60_000

/** The day of a time zone, `YYYY-MM-DD`. */
export const localDay = (now: Date, timeZone: string) => clockOf(timeZone)(now).slice(0, 10)

export type RefusalCode = Code<"payoutRefusals">
/** Why an action on a payout is refused, with what its text says of a limit or of what is left; whole rubles. */
export type PayoutRefusal = RefusalCode | { code: RefusalCode; limit?: number; left?: number }

/** The limit that a payout would break on a day of which others have used up a part, or null. Amounts are whole rubles. */
export function brokenLimit(
  amount: number,
  used: number,
  { perPayout, perDay }: { perPayout: number; perDay?: number }
): PayoutRefusal | null {
  if (amount > perPayout) return { code: "above_per_payout", limit: perPayout }
  const left = leftOf(used, perDay)
  return left !== null && amount > left ? { code: "above_per_day", left } : null
}

/** The rest of a day's limit; null where there is none. */
export const leftOf = (used: number, perDay: number | undefined) =>
  perDay === undefined ? null : Math.max(0, perDay - used)

/**
 * Splits a sum (decimal text) that is to be paid back into as few payouts as possible, in whole rubles and at most `perPayout`, the
 * largest first. For the rest (decimal text), kopecks for example, no payout can be made.
 */
export function refundParts(left: string, perPayout: number) {
  const parts: number[] = []
  let rubles = wholeRubles(left)
  for (; rubles > perPayout; rubles -= perPayout) parts.push(perPayout)
  if (rubles >= SMALLEST_PAYOUT) parts.push(rubles)
  else if (rubles > 0) parts.push(...shared(parts.pop(), rubles, perPayout))
  const paid = parts.reduce((sum, part) => sum + part, 0)
  return { parts, rest: remainder(left, paid) }
}

/** The whole rubles of a sum; 0 for one below nothing. */
export const wholeRubles = (sum: string) => Math.max(0, Math.floor(Number(toWireAmount(sum))))

/** Replaces the last two payouts when the last one would be too small. */
function shared(before: number | undefined, rubles: number, perPayout: number): number[] {
  if (before === undefined) return []
  const first = before + rubles - SMALLEST_PAYOUT
  return first >= SMALLEST_PAYOUT && first <= perPayout ? [first, SMALLEST_PAYOUT] : [before]
}
