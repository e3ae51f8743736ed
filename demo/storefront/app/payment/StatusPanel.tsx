import type { ReactNode } from "react"
import { CheckIcon, ClockIcon, CrossIcon, NoticeIcon } from "../frame/icons"
import { useLocale } from "../i18n/LocaleProvider"
import type { PaymentState } from "./sessionStatus"

interface StatusPanelProps {
  state: PaymentState | "loading"
  title: string
  note?: string
  trouble?: boolean
  /** On a page that has a title of its own. */
  subordinate?: boolean
  children?: ReactNode
}

/** What is known about the payment, in words. */
export function StatusPanel(props: StatusPanelProps) {
  const { state, title, note, trouble, subordinate, children } = props
  const Heading = subordinate ? "h2" : "h1"
  const { t } = useLocale()
  return (
    <section className={`panel status status-${state}`}>
      <StateSign state={state} />
      <div className="status-words" data-testid="payment-status" data-state={state}>
        <Heading className="status-title">{title}</Heading>
        {note && <p className="muted">{note}</p>}
        {trouble && <p className="trouble">{t.payment.trouble}</p>}
      </div>
      {children}
    </section>
  )
}

function StateSign({ state }: { state: PaymentState | "loading" }) {
  switch (state) {
    case "loading":
    case "pending":
      return <span className="spinner spinner-large" />
    case "paid":
      return (
        <span className="sign sign-good">
          <CheckIcon />
        </span>
      )
    case "canceled":
      return (
        <span className="sign sign-bad">
          <CrossIcon />
        </span>
      )
    case "expired":
      return (
        <span className="sign sign-quiet">
          <ClockIcon />
        </span>
      )
    case "problem":
      return (
        <span className="sign sign-notice">
          <NoticeIcon />
        </span>
      )
  }
}
