/**
 * The decimal text of a JSON number, without exponent: 1199.99 -> "1199.99", 1e-7 -> "0.0000001". Only digits are
 * moved: JavaScript prints the shortest text that reads back as the same number, which for any amount of up to
 * 15 digits is the text that was on the wire (trailing zeros aside).
 */
export function decimalFromNumber(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e")
  if (exponent === undefined) return mantissa

  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(mantissa) ?? []
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  if (point <= 0) return `${sign}0.${"0".repeat(-point)}${digits}`
  return sign + digits.padEnd(point, "0")
}

/**
 * The number that stands for a decimal amount in a JSON body, or null when `text` is not a plain positive decimal or
 * has more digits than a JSON number carries faithfully.
 */
export function numberFromDecimal(text: string): number | null {
  const [, whole, fraction = ""] = /^0*(\d+)(?:\.(\d+?)0*)?$/.exec(text) ?? []
  if (whole === undefined) return null

  const canonical = /^0*$/.test(fraction) ? whole : `${whole}.${fraction}`
  const value = Number(text)
  return value > 0 && decimalFromNumber(value) === canonical ? value : null
}
