/**
 * Reads a sum that somebody types, in whole rubles. Spaces may group its digits, and kopecks may be written where there are
 * none: `1 200`, `1200.00`. Anything else is no such sum, so that no separator is ever lost and the sum with it.
 */
export function wholeRubles(typed: string): number | null {
  const [, digits] = /^(\d+)(?:[.,]0{1,2})?$/.exec(typed.replace(/\s/g, "")) ?? []
  return digits === undefined ? null : Number(digits)
}
