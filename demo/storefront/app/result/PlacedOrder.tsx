import { Summary } from "../cart/Summary"
import { FailureNote } from "../frame/FailureNote"
import { Loading } from "../frame/Loading"
import { useLocale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"
import { contact } from "../payment/look"
import { useOrder } from "./useOrder"

/** The order that was paid: its number, where news of it go, and what comes next. */
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
      {order?.email && <p data-testid="receipt">{t.result.receipt(order.email)}</p>}
      {order && (
        <section className="next">
          <h2>{t.result.next}</h2>
          <ol>
            {t.result.steps.map((step) => (
              <li key={step}>{step}</li>
            ))}
          </ol>
          <p>{contact}</p>
        </section>
      )}
      {order && <Summary of={order} withItems />}
      {!order && !failed && <Loading label={t.result.orderLoading} />}
      <FailureNote error={failed} what="load" onRetry={retry} />
      <Link href="/" className="button quiet">
        {t.result.continue}
      </Link>
    </div>
  )
}
