import { Text } from "@medusajs/ui"

import type { JournalEntry } from "../lib/api"
import { useFormat } from "../lib/format"

/** The journal of a payment, newest first: a line for each entry, with its time and who did it. */
export const Timeline = ({ journal }: { journal: JournalEntry[] }) => {
  const { t, moment } = useFormat()
  const sentence = useSentence()
  return (
    <ol className="flex flex-col px-6 py-4">
      {[...journal].reverse().map((entry, index) => (
        <li key={index} className="flex gap-x-3">
          <div className="flex flex-col items-center" aria-hidden="true">
            <div className="bg-ui-tag-neutral-icon mt-1.5 size-2 shrink-0 rounded-full" />
            {index < journal.length - 1 && <div className="bg-ui-border-base my-1 w-px flex-1" />}
          </div>
          <div className="min-w-0 pb-4">
            <Text size="small" leading="compact" weight="plus">
              {sentence(entry)}
            </Text>
            <Text size="xsmall" className="text-ui-fg-subtle">
              <time dateTime={entry.at}>{moment(entry.at)}</time>
              {entry.by ? ` · ${entry.by_name ?? t("journal.by_admin")}` : ""}
            </Text>
          </div>
        </li>
      ))}
    </ol>
  )
}

/** An entry of the journal in words. */
function useSentence() {
  const { t, money, word } = useFormat()
  const text = (value: unknown) => (typeof value === "string" ? value : null)
  return ({ kind, facts }: JournalEntry): string => {
    const sum = money(text(facts.amount), text(facts.currency))
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
        return t("journal.accepted", { sum: text(facts.amount) })
      default:
        return t(`journal.${kind}`, { defaultValue: kind })
    }
  }
}
