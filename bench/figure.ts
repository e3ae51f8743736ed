import type { Stand } from "./stand"

/** One measured figure beside what it is to be compared with, as it is printed. */
export interface Figure {
  figure: string
  value: number
  unit: "ms" | "s" | "per second" | "calls" | "statements" | "MB"
  /** The figure that it is compared with, measured in the same run. */
  yardstick: string
  yardstick_value: number
  /** `value` by `yardstick_value`; null where that says nothing. */
  ratio: number | null
  samples: number
  /** Says in words what was measured, and how. */
  measured: string
  /** Numbers behind the figure. */
  details: Record<string, number | string>
  /** Why the run has to count as failed. */
  failure?: string
}

interface Size {
  quick: boolean
  /** Payments, or records, in figures that are measured with very many. */
  rows?: number
}

/** Measures one or several figures that come out of the same work. */
export interface Benchmark {
  name: string
  title: string
  run: (stand: Stand, size: Size) => Promise<Figure[]>
}

/** The figures for people; long texts go below it. */
export function asTable(figures: readonly Figure[]): string {
  const rows = [
    ["figure", "value", "yardstick", "ratio"],
    ...figures.map(({ figure, value, unit, yardstick, yardstick_value, ratio }) => [
      figure,
      `${value} ${unit}`,
      `${yardstick_value} ${unit} (${yardstick})`,
      ratio === null ? "" : String(ratio),
    ]),
  ]
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => row[column]?.length ?? 0))
  )
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join("  ")
      .trimEnd()
  )
  lines.splice(1, 0, widths.map((width) => "-".repeat(width)).join("  "))
  return lines.join("\n")
}
