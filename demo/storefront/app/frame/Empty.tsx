import type { ReactNode } from "react"
import { useLocale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"

interface EmptyProps {
  title: string
  note?: string
  children?: ReactNode
}

/** A page with nothing on it but a way on. */
export function Empty({ title, note, children }: EmptyProps) {
  const { t } = useLocale()
  return (
    <div className="empty">
      <h1>{title}</h1>
      {note && <p className="muted">{note}</p>}
      {children ?? (
        <Link href="/" className="button">
          {t.cart.toShop}
        </Link>
      )}
    </div>
  )
}
