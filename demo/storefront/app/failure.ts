import { FetchError } from "@medusajs/js-sdk"
import { type Locale, refusalText, StoreError } from "medusa-payment-sbp-crypto-storefront"
import type { Messages } from "./i18n/en"

/** The step that failed; `error` in the messages has a sentence for each. */
export type Trouble = "load" | "payment" | "cart"

/** The message for the shopper: our sentence in their language, and why the server refused. */
interface Failure {
  sentence: string
  detail: string | null
}

export function failureOf(error: unknown, what: Trouble, t: Messages, locale: Locale): Failure {
  const sentence = t.error[what]
  if (!(error instanceof FetchError || error instanceof StoreError)) {
    // The browser's fetch reports an unreachable server as a TypeError.
    return { sentence, detail: error instanceof TypeError ? t.error.network : null }
  }
  if (/required inventory|not enough|insufficient inventory/i.test(error.message)) {
    return { sentence: t.error.stock, detail: null }
  }
  const detail = refusalText(error, locale)
  // Medusa's own refusals are only in English, and a page is in one language.
  const isForeign = locale !== "en" && detail === error.message && /^[\x20-\x7e]*$/.test(detail)
  return { sentence, detail: isForeign ? null : detail }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof FetchError && error.status === 404
}
