import { FetchError } from "@medusajs/js-sdk"
import { type Locale, refusalText, StoreError } from "medusa-payment-sbp-crypto-storefront"
import type { Messages } from "./i18n/en"

/** The message for the shopper: our sentence in their language, and why the server refused; only the plugin's refusals are translated. */
export interface Failure {
  sentence: string
  detail: string | null
}

export function failureOf(
  error: unknown,
  sentence: string,
  t: Messages,
  locale: Locale = "en"
): Failure {
  if (!(error instanceof FetchError || error instanceof StoreError)) {
    // The browser's fetch reports an unreachable server as a TypeError.
    return { sentence, detail: error instanceof TypeError ? t.error.network : null }
  }
  if (/required inventory|not enough|insufficient inventory/i.test(error.message)) {
    return { sentence: t.error.stock, detail: null }
  }
  return { sentence, detail: refusalText(error, locale) }
}

export function isNotFound(error: unknown): boolean {
  return error instanceof FetchError && error.status === 404
}
