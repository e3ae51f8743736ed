import { useEffect, useState } from "react"
import { useCart } from "../cart/CartProvider"
import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"
import type { Product } from "../medusa"
import { Link } from "../navigation"
import { localized } from "./localized"
import { Picture } from "./Picture"
import { unitsAvailable } from "./stock"

const ADDED_SHOWN_MS = 4_000

export function ProductCard({ product }: { product: Product }) {
  const { locale, t, money } = useLocale()
  const { cart, add } = useCart()
  const variants = product.variants ?? []
  const [variantId, setVariantId] = useState(
    () => (variants.find((variant) => unitsAvailable(variant) > 0) ?? variants[0])?.id
  )
  const [busy, setBusy] = useState(false)
  const [added, setAdded] = useState(0)
  const [failure, setFailure] = useState<unknown>(null)

  useEffect(() => {
    const timer = window.setTimeout(() => {
      setAdded(0)
    }, ADDED_SHOWN_MS)
    return () => {
      window.clearTimeout(timer)
    }
  }, [added])

  const variant = variants.find((candidate) => candidate.id === variantId)
  const title = localized(product, "title", locale)
  const price = variant?.calculated_price
  const amount = price?.calculated_amount
  const inCart = cart?.items?.find((item) => item.variant_id === variantId)?.quantity ?? 0
  const stock = variant ? unitsAvailable(variant) : 0
  const buyable = typeof amount === "number" && stock > inCart

  const put = async () => {
    if (!variant) {
      return
    }
    setBusy(true)
    setFailure(null)
    try {
      await add(variant.id)
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
        <StockTag stock={stock} />
      </div>
      <div className="card-body">
        <h2 className="card-title">{title}</h2>
        <p className="card-text">{localized(product, "description", locale)}</p>
        {variants.length > 1 && (
          <label className="card-variant">
            <span className="visually-hidden">{t.home.variant}</span>
            <select
              value={variantId}
              onChange={(event) => {
                setVariantId(event.target.value)
                setAdded(0)
              }}
            >
              {variants.map((each) => (
                <option key={each.id} value={each.id}>
                  {each.title}
                </option>
              ))}
            </select>
          </label>
        )}
        <div className="card-foot">
          <span className="price">
            {typeof amount === "number" && price?.currency_code
              ? money(amount, price.currency_code)
              : t.home.noPrice}
          </span>
          <button
            type="button"
            className="button small"
            data-testid="add-to-cart"
            disabled={busy || !buyable}
            aria-label={`${t.home.add}: ${title}`}
            onClick={() => void put()}
          >
            {stock === 0 ? t.home.soldOut : t.home.add}
          </button>
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

function StockTag({ stock }: { stock: number }) {
  const { t } = useLocale()
  if (stock === 0) {
    return <span className="tag tag-out">{t.home.soldOut}</span>
  }
  if (stock === 1) {
    return <span className="tag tag-last">{t.home.last}</span>
  }
  return stock <= 3 ? <span className="tag">{t.home.few(stock)}</span> : null
}
