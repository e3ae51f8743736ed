import { useCart } from "../cart/CartProvider"
import { CartLine } from "../cart/CartLine"
import { Summary } from "../cart/Summary"
import { Empty } from "../frame/Empty"
import { FailureNote } from "../frame/FailureNote"
import { Loading } from "../frame/Loading"
import { usePageTitle } from "../frame/usePageTitle"
import { useLocale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"
import { CartPayment, useOrderOfCart } from "../payment/CartPayment"

export function CartPage() {
  const { t } = useLocale()
  const { cart, ready, failed, reload } = useCart()
  usePageTitle(t.cart.title)
  useOrderOfCart()

  if (!ready) {
    return <Loading />
  }
  if (!cart && failed) {
    return <FailureNote error={failed} what="load" onRetry={() => void reload()} />
  }
  if (!cart?.items?.length) {
    return <Empty title={t.cart.empty} />
  }
  const items = [...cart.items].sort((a, b) =>
    String(a.created_at ?? "").localeCompare(String(b.created_at ?? ""))
  )
  return (
    <>
      <h1>{t.cart.title}</h1>
      <CartPayment cart={cart} />
      <div className="columns">
        <ul className="panel lines">
          {items.map((item) => (
            <CartLine key={item.id} item={item} currency={cart.currency_code} />
          ))}
        </ul>
        <Summary of={cart}>
          <Link href="/checkout" className="button wide" data-testid="go-to-checkout">
            {t.cart.checkout}
          </Link>
        </Summary>
      </div>
    </>
  )
}
