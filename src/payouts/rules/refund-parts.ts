import { remainder, toWireAmount } from "../../values/amount"
import { SMALLEST_PAYOUT } from "./payout"

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
