import { StatusBadge } from "@medusajs/ui"

import { useFormat } from "../../lib/format"
import type { PayoutState } from "../../lib/payouts-api"

const COLORS = {
  draft: "grey",
  awaiting_approval: "blue",
  sending: "orange",
  created: "green",
  rejected: "grey",
  unknown: "red",
  marked_sent: "green",
  marked_not_sent: "grey",
  discarded: "grey",
} as const satisfies Record<PayoutState, string>

/** The state of a payout, as text and color. */
export const PayoutStateBadge = ({ state }: { state: PayoutState }) => {
  const { word } = useFormat()
  return <StatusBadge color={COLORS[state]}>{word("payout.states", state)}</StatusBadge>
}
