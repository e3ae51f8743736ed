import { StatusBadge } from "@medusajs/ui"

import type { Payout, PayoutState } from "../../lib/answers"
import { useFormat } from "../../lib/format"
import { entryOf, type Reading, useMay, useRead } from "../../lib/sdk"
import { LinkTo } from "../link-to"

/** Other admins act on a payout, too, and its actions move money: it is read anew, and more often while its request is under way. */
export const WHILE_SENT: Reading<`payouts/${string}`> = {
  staleTime: 0,
  refetchInterval: ({ state }) => (state.data?.payout.state === "sending" ? 2_000 : false),
}

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
export const PayoutStateBadge = ({ payout: { state, approved_by } }: { payout: Payout }) => {
  const { t, word } = useFormat()
  return state === "draft" && approved_by ? (
    <StatusBadge color="blue">{t("payout.fields.approved")}</StatusBadge>
  ) : (
    <StatusBadge color={COLORS[state]}>{word("payout.states", state)}</StatusBadge>
  )
}

/** The problem whose money a payout pays back: its kind, with the order or else the customer. */
export const ProblemLink = ({ id }: { id: string }) => {
  const { t, word } = useFormat()
  const { problem } = useRead(entryOf("problems", id), {}, { enabled: useMay("read") }).data ?? {}
  const order = problem?.order_number ?? null
  const whose = order === null ? problem?.customer_email : `#${order}`
  return (
    <LinkTo to={`/payment-service/problems/${encodeURIComponent(id)}`}>
      {problem
        ? [word("problemKinds", problem.kind), whose].filter(Boolean).join(" · ")
        : t("payout.links.problem")}
    </LinkTo>
  )
}
