import { failureOf, type Trouble } from "../failure"
import { useLocale } from "../i18n/LocaleProvider"

interface FailureNoteProps {
  /** The error; nothing is shown for null. It is said anew when the page changes its language. */
  error: unknown
  what: Trouble
  onRetry?: () => void
}

export function FailureNote({ error, what, onRetry }: FailureNoteProps) {
  const { t, locale } = useLocale()
  if (error === null) {
    return null
  }
  const { sentence, detail } = failureOf(error, what, t, locale)
  return (
    <div className="failure" role="alert" data-testid="error">
      <p>{sentence}</p>
      {detail && <p className="failure-detail">{detail}</p>}
      {onRetry && (
        <button type="button" className="link-button" onClick={onRetry}>
          {t.error.retry}
        </button>
      )}
    </div>
  )
}
