import { createContext, useContext, useMemo } from "react"
import type { Part, SlotAttributes, Slots } from "../parts.js"
import { type Locale, paymentTexts, type PaymentTexts } from "../texts/index.js"

/** The texts of a panel, and a shop's attributes for its parts. */
export interface LookProps {
  /** Default `en`. */
  locale?: Locale
  /** Sentences that replace the panel's own; braces mark inserted values, as in `paymentTexts`. */
  texts?: Partial<PaymentTexts>
  /** Attributes for parts of the panel: class names, styles, `data-…`. */
  slots?: Slots
  /** Level of the panel's heading on its page; default 2, and 1 for the payment in the page's address. */
  heading?: 1 | 2 | 3
}

export interface Look {
  t: PaymentTexts
  Heading: "h1" | "h2" | "h3"
  part: (name: Part) => SlotAttributes & { "data-part": Part }
  /** A number for readers, with two decimals at most. */
  number: (value: number) => string
  minutes: (count: number) => string
  /** A moment for readers, from ISO time. */
  time: (iso: string) => string
  /** A sum for readers; whole amounts without kopecks. */
  money: (amount: string, currency: string) => string
}

export function useLook({ locale = "en", texts, slots, heading = 2 }: LookProps): Look {
  return useMemo(
    () => ({
      t: { ...paymentTexts[locale], ...texts },
      Heading: `h${heading}` as const,
      part: (name) => ({ "data-part": name, ...slots?.[name] }),
      number: (value) => value.toLocaleString(locale, { maximumFractionDigits: 2 }),
      minutes: (count) =>
        count.toLocaleString(locale, { style: "unit", unit: "minute" }).replaceAll(" ", "\u00a0"),
      time: (iso) =>
        new Date(iso).toLocaleString(locale, { dateStyle: "medium", timeStyle: "short" }),
      money: (amount, currency) =>
        new Intl.NumberFormat(locale, {
          style: "currency",
          currency: currency.toUpperCase(),
          currencyDisplay: "narrowSymbol",
          trailingZeroDisplay: "stripIfInteger",
        }).format(Number(amount)),
    }),
    [locale, texts, slots, heading]
  )
}

const Context = createContext<Look | null>(null)

export const LookProvider = Context.Provider

export function useGivenLook(): Look {
  const look = useContext(Context)
  if (!look) {
    throw new Error("A part of a payment panel stands outside of one.")
  }
  return look
}
