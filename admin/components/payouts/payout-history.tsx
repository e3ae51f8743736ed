import { Card } from "../cards"
import { usePayoutWords } from "../../lib/payout-words"
import type { PayoutEntry, PayoutWithJournal } from "../../lib/api"
import { Timeline } from "../timeline"

/** The journal of a payout: people, actions, times and addresses, and the service's answers. */
export const PayoutHistory = ({ journal }: Pick<PayoutWithJournal, "journal">) => {
  const { t } = usePayoutWords()
  const sentence = useSentence()
  const otherCard = useOtherCard()
  const forwarded = ({ forwarded_address: address }: PayoutEntry) =>
    address && t("payout.journal.forwarded", { address })
  return (
    <Card title={t("journal.title")}>
      <Timeline
        entries={journal.map((entry) => ({
          at: entry.at,
          sentence: sentence(entry),
          note: textIn(entry.facts.note) ?? otherCard(entry.facts),
          by: [entry.by?.name, entry.address, forwarded(entry)].filter(Boolean).join(" · ") || null,
        }))}
      />
    </Card>
  )
}

/** The text on an answer with another card than the requested one; null for the same card. */
export function useOtherCard(): (facts: PayoutEntry["facts"]) => string | null {
  const { t } = usePayoutWords()
  return ({ other_card: card }) =>
    typeof card === "string" ? t("payout.otherCard", { card: dotted(card) }) : null
}

const dotted = (card: string) => card.replace(/\*+/, "••••")
const textIn = (value: unknown) => (typeof value === "string" ? value : null)

/** An entry of the journal as text; kinds and facts are in `payouts/rules/payout.ts`. */
function useSentence() {
  const { t, word, rubles } = usePayoutWords()
  return ({ kind, facts }: PayoutEntry): string => {
    const what = {
      sum: typeof facts.amount === "number" ? rubles(facts.amount) : "–",
      card: typeof facts.card === "string" ? dotted(facts.card) : t("payout.card.withoutDigits"),
      attempt: facts.attempt,
    }
    switch (kind) {
      case "sending":
        return t(
          facts.attempt === 1 ? "payout.journal.sending" : "payout.journal.sendingAgain",
          what
        )
      case "answered": {
        if (facts.state === "unknown") return t("payout.journal.noAnswer")
        const state = word("payout.states", textIn(facts.state))
        const status = typeof facts.http_status === "number" ? ` (HTTP ${facts.http_status})` : ""
        return `${t(facts.late ? "payout.journal.answeredLate" : "payout.journal.answered", { state })}${status}`
      }
      case "marked":
        return t(facts.sent ? "payout.journal.markedSent" : "payout.journal.markedNotSent")
      default:
        return t(`payout.journal.${kind}`, { ...what, defaultValue: kind })
    }
  }
}
