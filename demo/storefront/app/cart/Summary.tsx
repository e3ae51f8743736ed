import type { ReactNode } from "react"
import { useCatalog } from "../catalog/CatalogProvider"
import { useLocale } from "../i18n/LocaleProvider"
import type { Cart, Order } from "../medusa"

interface SummaryProps {
  /** A cart, or the order that it became: both carry the same totals. */
  of: Cart | Order
  /** Lists the items; the cart page shows them at length itself. */
  withItems?: boolean
  children?: ReactNode
}

export function Summary({ of: bought, withItems = false, children }: SummaryProps) {
  const { t, money } = useLocale()
  const { titleOf } = useCatalog()
  const amount = (value: number | undefined) => money(value ?? 0, bought.currency_code)
  const isShippingChosen = (bought.shipping_methods ?? []).length > 0
  const shipping = bought.shipping_total ? amount(bought.shipping_total) : t.summary.free
  return (
    <aside className="panel summary" aria-label={t.summary.title}>
      <h2 className="panel-title">{t.summary.title}</h2>
      {withItems && (
        <ul className="summary-items">
          {(bought.items ?? []).map((item) => (
            <li key={item.id}>
              <span>
                {titleOf(item)}
                {item.quantity > 1 && <span className="muted"> × {item.quantity}</span>}
              </span>
              <span>{amount(item.total ?? item.unit_price * item.quantity)}</span>
            </li>
          ))}
        </ul>
      )}
      <dl className="totals">
        {!withItems && (
          <div>
            <dt>{t.summary.items}</dt>
            <dd>{amount(bought.item_total)}</dd>
          </div>
        )}
        <div>
          <dt>{t.summary.shipping}</dt>
          <dd>{isShippingChosen ? shipping : t.summary.notChosen}</dd>
        </div>
        <div className="totals-sum">
          <dt>{t.summary.total}</dt>
          <dd data-testid="total">{amount(bought.total)}</dd>
        </div>
      </dl>
      {children}
    </aside>
  )
}
