/** Whole kopecks of decimal text with at most three digits after the point, rounded half up. */
export function kopecks(amount: string): number {
  const [whole = "0", digits = ""] = amount.split(".")
  const thousandths = Number(whole) * 1_000 + Number(digits.padEnd(3, "0"))
  return Math.floor((thousandths + 5) / 10)
}
