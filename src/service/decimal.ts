import { BigNumber } from "bignumber.js"

/**
 * The decimal text of a JSON number, without exponent: 1199.99 -> "1199.99", 1e-7 -> "0.0000001". JavaScript prints the
 * shortest text that reads back as the same number, which for any amount of up to 15 digits is the text that was on the
 * wire (trailing zeros aside).
 */
export function decimalFromNumber(value: number): string {
  const text = String(value)
  return text.includes("e") ? new BigNumber(text).toFixed() : text
}

/** The number for an amount in a JSON body; null when it is no plain positive decimal, or too long for a JSON number. */
export function numberFromDecimal(text: string): number | null {
  if (!/^\d+(?:\.\d+)?$/.test(text)) return null
  const value = Number(text)
  return value > 0 && new BigNumber(decimalFromNumber(value)).eq(text) ? value : null
}
