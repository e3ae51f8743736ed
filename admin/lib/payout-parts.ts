/** How a sum is paid out: in whole rubles, and by several payouts where one may not be so large. */
export interface PayoutParts {
  /** The first payout; 0 when there is less than the smallest one. */
  first: number
  /** How many payouts it takes. */
  count: number
  /** Decimal text of what is less than a ruble, or null. */
  rest: string | null
}

/** @param amount decimal text, rubles */
export function payoutParts(amount: string, smallest: number, most: number): PayoutParts | null {
  const [, rubles, kopecks] = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(amount.trim()) ?? []
  if (rubles === undefined) return null
  const whole = Number(rubles)
  const rest = Number(kopecks ?? 0) ? `0.${(kopecks ?? "").padEnd(2, "0")}` : null
  const count = Math.ceil(whole / most)
  if (count <= 1)
    return { first: whole < smallest ? 0 : whole, count: whole < smallest ? 0 : 1, rest }
  // What is left for the last one must not be smaller than the smallest payout.
  const last = whole - most * (count - 1)
  return { first: last < smallest ? Math.min(most, whole - smallest) : most, count, rest }
}
