import { Summary } from "../cart/Summary"
import { failureOf } from "../failure"
import { FailureNote } from "../frame/FailureNote"
import { Loading } from "../frame/Loading"
import { useLocale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"
import { useOrder } from "./useOrder"

/** The order that was paid. */
export function PlacedOrder({ orderId }: { orderId: string }) {
  const { t } = useLocale()
  const { order, failed, retry } = useOrder(orderId)
  return (
    <div className="result">
      {order && (
        <p className="order-number">
          <span className="muted">{t.result.orderNumber}</span>
          <strong data-testid="order-number">{order.display_id}</strong>
        </p>
      )}
      {order && <Summary of={order} withItems />}
      {!order && !failed && <Loading label={t.result.orderLoading} />}
      <FailureNote failure={failed ? failureOf(failed, t.error.load, t) : null} onRetry={retry} />
      <Link href="/" className="button quiet">
        {t.result.continue}
      </Link>
    </div>
  )
}
