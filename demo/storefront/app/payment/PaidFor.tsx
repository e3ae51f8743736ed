import { useCatalog } from "../catalog/CatalogProvider"
import type { Cart } from "../medusa"

/** The bought goods, below a payment's amount. */
export function PaidFor({ cart }: { cart: Cart | null }) {
  const { titleOf } = useCatalog()
  const names = (cart?.items ?? []).map((item) => {
    const title = titleOf(item.product_id, item.product_title ?? item.title)
    return item.quantity > 1 ? `${title} × ${item.quantity}` : title
  })
  return names.length > 0 ? <p className="muted paid-for">{names.join(", ")}</p> : null
}
