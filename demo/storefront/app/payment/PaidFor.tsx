import type { PaymentStatus } from "medusa-payment-sbp-crypto/storefront"
import { useCatalog } from "../catalog/CatalogProvider"
import { useLocale } from "../i18n/LocaleProvider"
import type { Cart } from "../medusa"
import { usdtEstimate } from "./usdtEstimate"

/** More about a payment, below its amount: roughly how many USDT it takes, and what is bought. */
export function PaidFor({ status, cart }: { status: PaymentStatus | null; cart: Cart | null }) {
  const { t, usdt } = useLocale()
  const { titleOf } = useCatalog()
  const estimate = status?.method === "crypto" ? usdtEstimate(status, cart) : null
  const names = (cart?.items ?? []).map((item) => {
    const title = titleOf(item.product_id, item.product_title ?? item.title)
    return item.quantity > 1 ? `${title} × ${item.quantity}` : title
  })
  return (
    <>
      {estimate !== null && (
        <p data-testid="usdt-estimate">
          {t.payment.estimate(usdt(estimate))}
          <span className="muted"> · {t.payment.estimateNote}</span>
        </p>
      )}
      {names.length > 0 && <p className="muted paid-for">{names.join(", ")}</p>}
    </>
  )
}
