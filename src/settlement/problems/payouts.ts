import { causeOfPayout } from "../cause"
import { entry } from "./entry"
import { NOTHING, type Sum, text } from "../../texts"

/** A payout whose outcome nobody knows. */
export interface UnknownPayoutFacts {
  payout: string
  sum: Sum
  /** Masked; null when none of its digits is known. */
  card: string | null
  /** When it was sent; ISO 8601. */
  since: string
}

export const PAYOUT_PROBLEMS = {
  /** The problem has no actions: it ends when the payout is sent again or marked. */
  payout_unknown: entry<UnknownPayoutFacts>({
    cause: ({ payout }) => causeOfPayout(payout),
    actions: [],
    text: ({ payout, sum, card, since }) => {
      const to = card ? text("problems", "to_card", { card }) : NOTHING
      return text("problems", "payout_unknown", { payout, sum, card: to, since })
    },
  }),
}
