import { useCart } from "../cart/CartProvider"
import { useLocale, type Locale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"
import { BagIcon } from "./icons"

const languages: { locale: Locale; label: string; name: string }[] = [
  { locale: "ru", label: "RU", name: "Русский" },
  { locale: "en", label: "EN", name: "English" },
]

export function Header() {
  const { t, locale, setLocale } = useLocale()
  const { cart } = useCart()
  const count = (cart?.items ?? []).reduce((sum, item) => sum + item.quantity, 0)
  return (
    <header className="header">
      <div className="header-inner">
        <Link href="/" className="brand">
          <img src="/favicon.svg" alt="" width={32} height={32} />
          <span>{t.shop}</span>
        </Link>
        <div className="languages" role="group" aria-label={t.language}>
          {languages.map((language) => (
            <button
              key={language.locale}
              type="button"
              lang={language.locale}
              aria-label={`${language.label}, ${language.name}`}
              aria-pressed={language.locale === locale}
              data-testid={`lang-${language.locale}`}
              onClick={() => setLocale(language.locale)}
            >
              {language.label}
            </button>
          ))}
        </div>
        <Link
          href="/cart"
          className="cart-link"
          aria-label={t.cart.link(count)}
          data-testid="cart-link"
        >
          <BagIcon />
          {count > 0 && (
            <span className="badge" data-testid="cart-count">
              {count}
            </span>
          )}
        </Link>
      </div>
    </header>
  )
}
