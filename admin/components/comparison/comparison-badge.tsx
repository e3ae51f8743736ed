import { StatusBadge } from "@medusajs/ui"

import type { Comparison } from "../../lib/answers"
import { useFormat } from "../../lib/format"

const COLORS = {
  running: "blue",
  interrupted: "orange",
  ended_early: "red",
  records_unreadable: "orange",
  done: "green",
} as const

export const ComparisonBadge = ({ state }: Pick<Comparison, "state">) => {
  const { t } = useFormat()
  return <StatusBadge color={COLORS[state]}>{t(`comparison.states.${state}`)}</StatusBadge>
}

/** The pages of a comparison that runs read it again as often. */
export const COMPARING_EVERY_MS = 3_000
