import type { Language } from "../answers"

/**
 * Splits a sum into payouts, several of them where one would be too large: `parts` in whole rubles, none below the smallest payout, and
 * the `rest` without a payout, kopecks for example, as decimal text.
 *
 * @param amount decimal text, rubles; any other text gives null
 */
export function payoutParts(amount: string, smallest: number, most: number) {
  const [, rubles, fraction = ""] = /^(\d{1,12})(?:[.,](\d{1,2}))?$/.exec(amount.trim()) ?? []
  if (rubles === undefined) return null
  const parts: number[] = []
  let left = Number(rubles)
  for (; left > most; left -= most) parts.push(most)
  if (left >= smallest) parts.push(left)
  else if (parts.length > 0 && left > 0) {
    // The last two payouts share the rest, because the last one alone would be too small.
    const shared = most + left - smallest
    if (shared >= smallest) parts.splice(-1, 1, shared, smallest)
  }
  const paid = parts.reduce((sum, part) => sum + part, 0)
  const kopecks = (Number(rubles) - paid) * 100 + Number(fraction.padEnd(2, "0"))
  return { parts, rest: kopecks > 0 ? (kopecks / 100).toFixed(2) : null }
}

/** A typed sum in whole rubles (`1 200`, `1200.00`); null for other texts, so that no misread separator changes the sum. */
export function wholeRubles(typed: string): number | null {
  const [, digits] = /^(\d+)(?:[.,]0{1,2})?$/.exec(typed.replace(/\s/g, "")) ?? []
  return digits === undefined ? null : Number(digits)
}

/** A typed sum in either language: with spaces between thousands, and with a comma or a point. Null for any other text. */
export function sumIn(typed: string): string | null {
  const text = typed.replace(/\s/g, "").replace(",", ".")
  return /^\d+(\.\d{1,2})?$/.test(text) ? text : null
}

/** A sum as an admin would type it; one with more digits than anybody would type is left as it is. */
export function asTyped(sum: string, language: Language): string {
  if (!/^\d+(\.\d{1,2})?$/.test(sum)) return sum
  return Number(sum)
    .toFixed(2)
    .replace(".", language === "ru" ? "," : ".")
}
