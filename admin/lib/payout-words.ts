import { useFormat } from "./format"
import type { Payout } from "./payouts-api"

type NamedCard = Pick<Payout, "card_masked" | "card_brand" | "card_label">

/** How payouts, their cards and their sums are written. */
export function usePayoutWords() {
  const format = useFormat()
  const { t, money } = format
  /** Brand and last four digits; of a number that nobody has typed yet there are none. */
  const card = ({ card_masked, card_brand }: NamedCard): string =>
    card_masked === null
      ? t("payout.card.notTyped")
      : [card_brand, card_masked.replace(/\*+/, "••••")].filter(Boolean).join(" ")
  return {
    ...format,
    card,
    /** The same within a sentence about where money goes. */
    toCard: (shown: NamedCard) =>
      shown.card_masked === null ? t("payout.card.later") : card(shown),
    rubles: (amount: number) => money(String(amount), "RUB"),
    usdt: (amount: string | null) =>
      amount === null ? "–" : `${format.number(Number(amount), 6)} USDT`,
    /** Of a day without a time, `YYYY-MM-DD`: noon is on that day in every time zone of the reader. */
    dayOf: (date: string) => format.day(`${date}T12:00:00`),
  }
}
