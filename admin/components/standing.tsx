import { StatusBadge } from "@medusajs/ui"

import type { Standing } from "../lib/api"
import { useFormat } from "../lib/format"

const COLORS = {
  opening: "grey",
  not_opened: "grey",
  unanswered: "orange",
  payable: "blue",
  over: "grey",
  waiting_for_medusa: "orange",
  settled: "green",
  waiting_for_person: "red",
  taken_care_of: "purple",
} as const

/** The standing of a payment, as text and color. */
export const StandingBadge = ({ standing }: { standing: Standing }) => {
  const { word } = useFormat()
  return <StatusBadge color={COLORS[standing]}>{word("standings", standing)}</StatusBadge>
}
