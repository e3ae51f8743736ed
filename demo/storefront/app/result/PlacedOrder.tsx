import { useCallback, useEffect, useState } from "react"
import { Summary } from "../cart/Summary"
import { Loading } from "../frame/Empty"
import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"
import { type Order, sdk } from "../medusa"
import { Link } from "../navigation"
import { contact } from "../payment/look"

/** The order that was paid: its number, where news of it go, and what comes next. */
export function PlacedOrder({ orderId }: { orderId: string }) {
  const { t } = useLocale()
  const { order, failed, read } = useOrder(orderId)
  return (
    <div className="result">
      {order && (
        <>
          <p className="order-number">
            <span>{t.result.orderNumber}</span>
            <strong data-testid="order-number">{order.display_id}</strong>
          </p>
          {order.email && <p data-testid="receipt">{t.result.receipt(order.email)}</p>}
          <section className="next">
            <h2>{t.result.next}</h2>
            <ol>
              {t.result.steps.map((step) => (
                <li key={step}>{step}</li>
              ))}
            </ol>
            <p>{contact}</p>
          </section>
          <Summary of={order} withItems />
        </>
      )}
      {!order && !failed && <Loading />}
      <FailureNote error={failed} what="load" onRetry={read} />
      <Link href="/" className="button quiet">
        {t.result.continue}
      </Link>
    </div>
  )
}

/** The number of an order that was placed before its payment arrived. */
export function ReservedOrder({ orderId }: { orderId: string }) {
  const { t } = useLocale()
  const { order } = useOrder(orderId)
  return order && <p className="muted">{t.result.waitingOrder(String(order.display_id))}</p>
}

/** An order by its id, which is all that a guest needs to see it. */
function useOrder(orderId: string) {
  const [order, setOrder] = useState<Order | null>(null)
  const [failed, setFailed] = useState<unknown>(null)

  const read = useCallback(() => {
    setFailed(null)
    sdk.store.order
      .retrieve(orderId)
      .then(({ order: found }) => setOrder(found))
      .catch((error: unknown) => setFailed(error))
  }, [orderId])

  useEffect(read, [read])

  return { order, failed, read }
}
