import type { MerchantAccount } from "../../payments/rules/transaction"
import { hasText, NOTHING, type Sum, text } from "../../texts"
import {
  CALLBACK_UNREADABLE,
  causeOfFailedOpenings,
  causeOfMissingAccount,
  causeOfNoComparison,
  causeOfPayout,
  causeOfRefusedCredentials,
  causeOfSilence,
  causeOfUnread,
} from "./cause"
import { entry } from "./entry"
import { type Refusal, refusalText, textWithWords } from "./refusals"

/** The creations with one method that failed since the last payment was opened with it. */
export interface FailedOpeningsFacts extends MerchantAccount {
  method: string
  failures: number
  /** When the first of them was asked for; ISO 8601. */
  since: string
  /** Why the last one failed; `detail` has the service's own words alone. */
  reason: Refusal
}

/** One transaction could not be read: for a week, when it differed in a comparison, or for ten minutes after news of it. */
export interface GivenUpFacts {
  found?: "unread" | "named"
  row: string
  transaction: string
  reason: Refusal
}

export const SERVICE_PROBLEMS = {
  /** A callback came to the right address but named no transaction. */
  callback_unreadable: entry<Record<string, never>>({
    cause: () => CALLBACK_UNREADABLE,
    actions: ["handle"],
  }),

  /**
   * The service has not answered for a merchant for a long time. Or one transaction was given up unread; that opens again when a
   * callback named it and another attempt failed.
   */
  service_unreachable: entry<
    (MerchantAccount & { since: string; uncompared?: Refusal }) | GivenUpFacts
  >({
    cause: (facts) => {
      if ("row" in facts) return causeOfUnread(facts.row)
      return facts.uncompared ? causeOfNoComparison(facts) : causeOfSilence(facts)
    },
    actions: ["retry", "handle"],
    text: (facts) => {
      if ("uncompared" in facts && facts.uncompared) {
        const { since, uncompared } = facts
        return text("problems", "not_compared", { since, why: refusalText(uncompared) })
      }
      if (!("row" in facts)) {
        const { merchantId, baseUrl, since } = facts
        return text("problems", "service_unreachable", { merchantId, baseUrl, since })
      }
      return text("problems", facts.found ?? "given_up", { why: refusalText(facts.reason) })
    },
  }),

  /** The service refuses the merchant's secret, so nothing can be read or opened. */
  credentials_refused: entry<MerchantAccount>({
    cause: causeOfRefusedCredentials,
    actions: ["handle"],
  }),

  /** The service opens no payment for a merchant with one method, until the next one that opens closes it. */
  payments_not_opened: entry<FailedOpeningsFacts>({
    cause: (facts) => causeOfFailedOpenings(facts, facts.method),
    actions: ["handle"],
    text: ({ reason, method, ...facts }) =>
      text("problems", "payments_not_opened", {
        ...facts,
        method: hasText("methods", method) ? text("methods", method) : method,
        why: textWithWords(reason),
      }),
  }),

  /** No account has the merchant and address of these due transactions; it opens again when one falls due after its closing. */
  not_configured: entry<MerchantAccount & { count: number; oldest: string }>({
    cause: causeOfMissingAccount,
    actions: ["handle"],
    text: (facts) => {
      const transactions = text("counted", "transactions", { count: facts.count })
      return text("problems", "not_configured", { ...facts, transactions })
    },
  }),

  /** A payout's outcome is unknown since it was sent. It has no actions here: it ends when the payout is sent again or marked. */
  payout_unknown: entry<{ payout: string; sum: Sum; card: string | null; since: string }>({
    cause: ({ payout }) => causeOfPayout(payout),
    actions: [],
    text: ({ card, ...facts }) => {
      const to = card ? text("problems", "to_card", { card }) : NOTHING
      return text("problems", "payout_unknown", { ...facts, card: to })
    },
  }),
}
