import type { Failure } from "../failure"
import { useLocale } from "../i18n/LocaleProvider"

interface FailureNoteProps {
  failure: Failure | null
  onRetry?: () => void
}

export function FailureNote({ failure, onRetry }: FailureNoteProps) {
  const { t } = useLocale()
  if (!failure) {
    return null
  }
  return (
    <div className="failure" role="alert" data-testid="error">
      <p>{failure.sentence}</p>
      {failure.detail && <p className="failure-detail">{failure.detail}</p>}
      {onRetry && (
        <button type="button" className="link-button" onClick={onRetry}>
          {t.error.retry}
        </button>
      )}
    </div>
  )
}
