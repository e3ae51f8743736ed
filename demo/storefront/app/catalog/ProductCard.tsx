import { useEffect, useState } from "react"
import { useCart } from "../cart/CartProvider"
import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"
import type { Product } from "../medusa"
import { Link } from "../navigation"
import { localized } from "./CatalogProvider"
import { Picture } from "./Picture"

const ADDED_SHOWN_MS = 4_000

/** A product of one variant, as all of the demo's are. */
export function ProductCard({ product }: { product: Product }) {
  const { locale, t, money } = useLocale()
  const { cart, add } = useCart()
  const [busy, setBusy] = useState(false)
  const [added, setAdded] = useState(0)
  const [failure, setFailure] = useState<unknown>(null)

  useEffect(() => {
    const timer = setTimeout(() => setAdded(0), ADDED_SHOWN_MS)
    return () => clearTimeout(timer)
  }, [added])

  const variant = product.variants?.[0]
  const title = localized(product, "title", locale)
  const { calculated_amount: amount, currency_code: currency } = variant?.calculated_price ?? {}
  const stock = variant?.inventory_quantity ?? Infinity
  const inCart = cart?.items?.find(({ variant_id: id }) => id === variant?.id)?.quantity ?? 0

  const put = async (variantId: string) => {
    setBusy(true)
    setFailure(null)
    try {
      await add(variantId)
      setAdded((times) => times + 1)
    } catch (error) {
      setFailure(error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <article className="card" data-testid={`product-${product.handle}`}>
      <div className="card-picture">
        <Picture seed={product.handle} src={product.thumbnail} />
        {stock < 2 && <span className="tag">{stock < 1 ? t.home.soldOut : t.home.last}</span>}
      </div>
      <div className="card-body">
        <h2 className="card-title">{title}</h2>
        <p className="card-text">{localized(product, "description", locale)}</p>
        <div className="card-foot">
          <span className="price">
            {typeof amount === "number" && currency && money(amount, currency)}
          </span>
          {variant && (
            <button
              type="button"
              className="button small"
              data-testid="add-to-cart"
              disabled={busy || typeof amount !== "number" || stock <= inCart}
              aria-label={`${t.home.add}: ${title}`}
              onClick={() => void put(variant.id)}
            >
              {stock < 1 ? t.home.soldOut : t.home.add}
            </button>
          )}
        </div>
        <p className="card-added" role="status">
          {added > 0 && (
            <>
              {t.home.added} <Link href="/cart">{t.home.toCart}</Link>
            </>
          )}
        </p>
        <FailureNote error={failure} what="cart" />
      </div>
    </article>
  )
}
