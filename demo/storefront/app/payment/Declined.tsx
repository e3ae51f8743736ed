import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"
import type { SessionStatus } from "./sessionStatus"
import { StatusPanel } from "./StatusPanel"
import { usePayAgain } from "./usePayAgain"

interface DeclinedProps {
  status: SessionStatus
  cartId: string | null
  trouble: boolean
  onStarted: (sessionId: string) => void
}

/** A payment that was declined or ran out of time: the next one is one click away. */
export function Declined({ status, cartId, trouble, onStarted }: DeclinedProps) {
  const { t, money } = useLocale()
  const { busy, failure, payAgain } = usePayAgain(cartId)
  const expired = status.state === "expired"
  const note = expired ? t.result.expiredNote : t.result.canceledNote
  const orderNote = expired ? t.result.orderLapsed : t.result.orderKept
  /** An order that was not paid in time is canceled: there is nothing left to pay for. */
  const payable = !(expired && status.order_id)

  const again = async () => {
    const sessionId = await payAgain(status)
    if (sessionId) {
      onStarted(sessionId)
    }
  }

  return (
    <StatusPanel
      state={status.state}
      title={expired ? t.result.expiredTitle : t.result.canceledTitle}
      note={status.order_id ? orderNote : note}
      trouble={trouble}
    >
      <FailureNote failure={failure} />
      <div className="actions">
        {payable && (
          <button
            type="button"
            className="button"
            data-testid="pay-again"
            disabled={busy}
            onClick={() => void again()}
          >
            {busy
              ? t.checkout.preparing
              : t.payment.payAgainAmount(money(status.amount, status.currency))}
          </button>
        )}
        {!payable && (
          <Link href="/" className="button quiet">
            {t.result.continue}
          </Link>
        )}
        {!status.order_id && (
          <Link href="/checkout" className="button quiet" data-testid="change-method">
            {t.payment.changeMethod}
          </Link>
        )}
      </div>
    </StatusPanel>
  )
}
