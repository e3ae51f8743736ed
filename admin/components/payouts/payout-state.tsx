import { StatusBadge } from "@medusajs/ui"

import { useFormat } from "../../lib/format"
import type { Payout, PayoutState } from "../../lib/api"

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

/** The state of a payout, as text and color. A draft that a second admin has approved is shown as approved. */
export const PayoutStateBadge = ({
  payout: { state, approved_by },
}: {
  payout: Pick<Payout, "state" | "approved_by">
}) => {
  const { t, word } = useFormat()
  if (state === "draft" && approved_by) {
    return <StatusBadge color="blue">{t("payout.fields.approved")}</StatusBadge>
  }
  return <StatusBadge color={COLORS[state]}>{word("payout.states", state)}</StatusBadge>
}
