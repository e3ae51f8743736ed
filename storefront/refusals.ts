import { en } from "./texts/en.js"
import { paymentTexts, type Locale, type PaymentTexts } from "./texts/index.js"

type RefusalCode = keyof PaymentTexts["refusals"]

/**
 * Says in the shopper's language why the store refused to begin a payment or to place an order.
 *
 * @param refusal the error of `startPayment`, js-sdk or another reader, or the store's sentence
 * @returns the store's own sentence where the part has none, and null for an error without one
 */
export function refusalText(
  refusal: unknown,
  locale: Locale,
  texts: PaymentTexts = paymentTexts[locale]
): string | null {
  const said = refusal instanceof Error ? refusal.message : refusal
  const code = codeOf(refusal) ?? codeOfSentence(said)
  return (code && texts.refusals[code]) || (typeof said === "string" && said) || null
}

function codeOf(refusal: unknown): RefusalCode | null {
  const code = refusal instanceof Error && "code" in refusal ? refusal.code : null
  return Object.keys(en.refusals).includes(String(code)) ? (code as RefusalCode) : null
}

/** Medusa's js-sdk keeps only the sentence of a refusal, which is English. */
function codeOfSentence(said: unknown): RefusalCode | null {
  const found = Object.entries(en.refusals).find(([, sentence]) => sentence === said)
  return found ? (found[0] as RefusalCode) : null
}
