import { useState } from "react"
import { Picture } from "../catalog/Picture"
import { useCatalog } from "../catalog/CatalogProvider"
import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"
import type { CartItem } from "../medusa"
import { useCart } from "./CartProvider"

export function CartLine({ item, currency }: { item: CartItem; currency: string }) {
  const { t, money } = useLocale()
  const { setQuantity, remove } = useCart()
  const { titleOf } = useCatalog()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<unknown>(null)
  const title = titleOf(item)

  const change = async (action: () => Promise<void>) => {
    setBusy(true)
    setFailure(null)
    try {
      await action()
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <li className="line" aria-busy={busy}>
      <Picture seed={item.product_handle ?? item.id} src={item.thumbnail} />
      <div className="line-text">
        <h2 className="line-title">{title}</h2>
        <button
          type="button"
          className="link-button"
          disabled={busy}
          aria-label={t.cart.removeItem(title)}
          onClick={() => void change(() => remove(item.id))}
        >
          {t.cart.remove}
        </button>
        <FailureNote error={failure} what="cart" />
      </div>
      <div className="line-side">
        <div className="stepper" role="group" aria-label={t.cart.quantity(title)}>
          <button
            type="button"
            aria-label={t.cart.less}
            disabled={busy || item.quantity <= 1}
            onClick={() => void change(() => setQuantity(item.id, item.quantity - 1))}
          >
            −
          </button>
          <output>{item.quantity}</output>
          <button
            type="button"
            aria-label={t.cart.more}
            disabled={busy}
            onClick={() => void change(() => setQuantity(item.id, item.quantity + 1))}
          >
            +
          </button>
        </div>
        <span className="price">
          {money(item.total ?? item.unit_price * item.quantity, currency)}
        </span>
      </div>
    </li>
  )
}
