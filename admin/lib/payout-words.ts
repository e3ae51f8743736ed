import { useMemo } from "react"

import { useFormat } from "./format"
import type { Payout } from "./payouts-api"

type NamedCard = Pick<Payout, "recipient" | "card_id" | "card_masked" | "card_brand" | "card_label">

/** How payouts, their cards and their sums are written. */
export function usePayoutWords() {
  const format = useFormat()
  return useMemo(() => wordsOf(format), [format])
}

function wordsOf(format: ReturnType<typeof useFormat>) {
  const { t, money } = format
  /**
   * Brand and last four digits. Of a number that nobody has typed yet there are none, and of a saved card the service may
   * not tell them: then its label names it, or its id.
   */
  const card = (shown: NamedCard): string => {
    const { recipient, card_id, card_masked, card_brand, card_label } = shown
    if (card_masked === null && recipient === "typed_number") return t("payout.card.notTyped")
    const digits = card_masked?.replace(/\*+/, "••••")
    const name = digits ?? card_label ?? t("payout.card.saved", { id: card_id })
    return [card_brand, name].filter(Boolean).join(" ")
  }
  return {
    ...format,
    card,
    /** The same within a sentence about where money goes. */
    toCard: (shown: NamedCard) =>
      shown.card_masked === null && shown.recipient === "typed_number"
        ? t("payout.card.later")
        : card(shown),
    rubles: (amount: number) => money(String(amount), "RUB"),
    /** Of a day without a time, `YYYY-MM-DD`: noon is on that day in every time zone of the reader. */
    dayOf: (date: string) => format.day(`${date}T12:00:00`),
  }
}
