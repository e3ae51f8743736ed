import { StatusBadge } from "@medusajs/ui"

import { useFormat } from "../../lib/format"
import type { Comparison } from "../../lib/overview-api"

const COLORS = {
  running: "blue",
  interrupted: "orange",
  ended_early: "red",
  done: "green",
} as const

/** The outcome of a comparison, in words and a color. */
export const ComparisonBadge = ({ state }: { state: Comparison["state"] }) => {
  const { t } = useFormat()
  return <StatusBadge color={COLORS[state]}>{t(`comparison.states.${state}`)}</StatusBadge>
}
