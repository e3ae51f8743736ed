import { en, type PaymentTexts } from "./en.js"
import { ru } from "./ru.js"

export type { PaymentTexts }
export type Locale = "en" | "ru"

/** The panels' sentences, for a shop that shows some of them elsewhere. */
export const paymentTexts: Record<Locale, PaymentTexts> = { en, ru }

/** Replaces `{amount}` and other names in braces by values. */
export function fillIn(text: string, values: Record<string, string>): string {
  return text.replace(/\{([a-z]+)\}/g, (whole, name: string) => values[name] ?? whole)
}
