import { FetchError } from "@medusajs/js-sdk"
import { type Locale, refusalText, StoreError } from "medusa-payment-sbp-crypto-storefront"
import type { Messages } from "../i18n/en"
import { useLocale } from "../i18n/LocaleProvider"

interface FailureNoteProps {
  /** The error; nothing is shown for null. It is said anew when the page changes its language. */
  error: unknown
  /** The step that failed. */
  what: "load" | "payment" | "cart"
  onRetry?: () => void
}

export function FailureNote({ error, what, onRetry }: FailureNoteProps) {
  const { t, locale } = useLocale()
  if (error === null) {
    return null
  }
  const detail = detailOf(error, t, locale)
  return (
    <div className="failure" role="alert" data-testid="error">
      <p>{t.error[what]}</p>
      {detail && <p className="failure-detail">{detail}</p>}
      {onRetry && (
        <button type="button" className="link-button" onClick={onRetry}>
          {t.error.retry}
        </button>
      )}
    </div>
  )
}

/** Why the shop refused, in the shopper's language. */
function detailOf(error: unknown, t: Messages, locale: Locale): string | null {
  if (!(error instanceof FetchError || error instanceof StoreError)) {
    // The browser's fetch reports an unreachable server as a TypeError.
    return error instanceof TypeError ? t.error.network : null
  }
  if (/required inventory|not enough|insufficient inventory/i.test(error.message)) {
    return t.error.stock
  }
  const detail = refusalText(error, locale)
  // Medusa's own refusals are only in English, and a page is in one language.
  const isForeign = locale !== "en" && detail === error.message && /^[\x20-\x7e]*$/.test(detail)
  return isForeign ? null : detail
}
