import { Card } from "./cards"
import type { JournalEntry, TransactionAnswer } from "../lib/api"
import { useFormat } from "../lib/format"
import { Timeline } from "./timeline"

/** The journal of a payment. */
export const TransactionHistory = ({ answer }: { answer: TransactionAnswer }) => {
  const { t } = useFormat()
  const sentence = useSentence(answer.transaction.currency)
  return (
    <Card title={t("journal.title")}>
      <Timeline
        entries={answer.journal.map((entry) => ({
          at: entry.at,
          sentence: sentence(entry),
          by: entry.by && (entry.by_name ?? t("journal.by_admin")),
        }))}
      />
    </Card>
  )
}

/**
 * An entry of the journal as text.
 *
 * @param currency for sums without one: the currency that was asked for
 */
function useSentence(currency: string) {
  const { t, money, word } = useFormat()
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return ({ kind, facts }: JournalEntry): string => {
    const sum = money(text(facts.amount), text(facts.currency) ?? currency)
    switch (kind) {
      case "opened":
        return t("journal.opened", { sum })
      case "state":
        return facts.to === "paid"
          ? t(facts.late ? "journal.paid_late" : "journal.paid", { sum })
          : t("journal.state", {
              state: word("states", text(facts.to)),
              status: text(facts.status) ?? "–",
            })
      case "status":
        return t("journal.status", { status: text(facts.to) })
      case "exception":
        return facts.to === null
          ? t("journal.exception_over")
          : t("journal.exception", { exception: word("exceptions", text(facts.to)) })
      case "attempt_failed":
        return t("journal.attempt_failed", { attempts: facts.attempts })
      case "handled":
        return t(facts.handled ? "journal.handled" : "journal.not_handled")
      case "accepted":
        return t("journal.accepted", { sum })
      case "acted":
        return t("journal.acted", {
          action: t(`actions.${text(facts.action)}.label`),
          problem: word("problemKinds", text(facts.problem)),
        })
      default:
        return t(`journal.${kind}`, { defaultValue: kind })
    }
  }
}
