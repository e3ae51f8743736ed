import { Summary } from "../cart/Summary"
import { failureOf } from "../failure"
import { FailureNote } from "../frame/FailureNote"
import { Loading } from "../frame/Loading"
import { useLocale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"
import { StatusPanel } from "../payment/StatusPanel"
import { useOrder } from "./useOrder"

/** Paid, and the order is there. */
export function PlacedOrder({ orderId }: { orderId: string }) {
  const { t } = useLocale()
  const { order, failed, retry } = useOrder(orderId)
  return (
    <div className="result">
      <StatusPanel state="paid" title={t.result.paidTitle} note={t.result.paidLead}>
        {order && (
          <p className="order-number">
            <span className="muted">{t.result.orderNumber}</span>
            <strong data-testid="order-number">{order.display_id}</strong>
          </p>
        )}
      </StatusPanel>
      {order && <Summary of={order} withItems />}
      {!order && !failed && <Loading label={t.result.orderLoading} />}
      <FailureNote failure={failed ? failureOf(failed, t.error.load, t) : null} onRetry={retry} />
      <Link href="/" className="button quiet">
        {t.result.continue}
      </Link>
    </div>
  )
}
