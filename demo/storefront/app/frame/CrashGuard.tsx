import { Component, type ReactNode } from "react"
import { useLocale } from "../i18n/LocaleProvider"

/** Shows a sentence instead of a white page when something in the page breaks. */
export class CrashGuard extends Component<{ children: ReactNode }, { crashed: boolean }> {
  override state = { crashed: false }

  static getDerivedStateFromError() {
    return { crashed: true }
  }

  override render() {
    return this.state.crashed ? <Crashed /> : this.props.children
  }
}

function Crashed() {
  const { t } = useLocale()
  return (
    <div className="empty" role="alert" data-testid="error">
      <h1>{t.error.title}</h1>
      <p className="muted">{t.error.crash}</p>
      <button type="button" className="button" onClick={() => window.location.reload()}>
        {t.error.reload}
      </button>
    </div>
  )
}
