import { useLocale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"

/** A page with nothing on it but a way on. */
export function Empty({ title }: { title: string }) {
  const { t } = useLocale()
  return (
    <div className="empty">
      <h1>{title}</h1>
      <Link href="/" className="button">
        {t.cart.toShop}
      </Link>
    </div>
  )
}

export function Loading() {
  return (
    <div className="loading" role="status">
      <span className="spinner" />
    </div>
  )
}
