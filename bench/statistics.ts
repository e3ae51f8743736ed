/** The value below which this share (0 to 1) of the samples lies. */
function quantile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right)
  const at = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1))
  const value = sorted[at]
  if (value === undefined) throw new Error("There are no samples.")
  return value
}

export const median = (samples: readonly number[]): number => quantile(samples, 0.5)
export const p99 = (samples: readonly number[]): number => quantile(samples, 0.99)

/** Digits that a measurement can stand for: three for what is small, none behind the point for the rest. */
export function rounded(value: number): number {
  if (!Number.isFinite(value) || value === 0) return 0
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))))
  return Number(value.toFixed(Math.min(digits, 6)))
}
