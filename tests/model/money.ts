/** Whole kopecks of decimal text with at most three digits after the point, rounded half up. */
export function kopecks(amount: string): number {
  return roundedToKopecks(thousandths(amount))
}

export function roundedToKopecks(thousandths: number): number {
  return Math.floor((thousandths + 5) / 10)
}

/** Tenths of a kopeck of decimal text with at most three digits after the point. */
export function thousandths(amount: string): number {
  const [whole = "0", digits = ""] = amount.replace("-", "").split(".")
  const size = Number(whole) * 1_000 + Number(digits.padEnd(3, "0"))
  return amount.startsWith("-") ? -size : size
}
