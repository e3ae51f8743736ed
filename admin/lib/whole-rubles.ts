/**
 * Reads a typed sum in whole rubles. Spaces may group its digits, and zero kopecks may be written: `1 200`, `1200.00`. Any other
 * text gives null, so that no misread separator changes the sum.
 */
export function wholeRubles(typed: string): number | null {
  const [, digits] = /^(\d+)(?:[.,]0{1,2})?$/.exec(typed.replace(/\s/g, "")) ?? []
  return digits === undefined ? null : Number(digits)
}
