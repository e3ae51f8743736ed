import { useMemo } from "react"

import type { Payout } from "../answers"
import { formatForTitle, useFormat } from "../format"

type NamedCard = Pick<Payout, "recipient" | "card_id" | "card_masked" | "card_brand" | "card_label">

/** Writes payouts, their cards and their sums. */
export function usePayoutWords() {
  const format = useFormat()
  return useMemo(() => wordsOf(format), [format])
}

/** A payout as the title of its page. */
export function payoutTitle(payout: Payout): string {
  const { rubles, card } = wordsOf(formatForTitle())
  return `${rubles(payout.amount)} → ${card(payout)}`
}

function wordsOf(format: ReturnType<typeof useFormat>) {
  const { t } = format
  const isNotTyped = ({ card_masked, recipient }: NamedCard) =>
    card_masked === null && recipient === "typed_number"
  /**
   * Brand and last four digits. A number that is not typed yet has none, and the service may give none for a saved card; then its
   * label or its id is shown.
   */
  const card = (shown: NamedCard): string => {
    if (isNotTyped(shown)) return t("payout.card.notTyped")
    const { card_id, card_masked, card_brand, card_label } = shown
    const digits = card_masked?.replace(/\*+/, "••••")
    const name = digits ?? card_label ?? t("payout.card.saved", { id: card_id })
    return [card_brand, name].filter(Boolean).join(" ")
  }
  return {
    ...format,
    card,
    /** The same in a sentence about the receiver of money. */
    toCard: (shown: NamedCard) => (isNotTyped(shown) ? t("payout.card.later") : card(shown)),
  }
}
