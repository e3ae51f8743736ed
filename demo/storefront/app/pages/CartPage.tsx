import { CartLine } from "../cart/CartLine"
import { Summary } from "../cart/Summary"
import { WithCart } from "../cart/WithCart"
import { useLocale } from "../i18n/LocaleProvider"
import { Link } from "../navigation"
import { CartPayment } from "../payment/CartPayment"

export function CartPage() {
  const { t } = useLocale()
  return (
    <WithCart>
      {(cart) => (
        <>
          <h1>{t.cart.title}</h1>
          <CartPayment cart={cart} />
          <div className="columns">
            <ul className="panel lines">
              {[...(cart.items ?? [])]
                .sort((one, other) => one.id.localeCompare(other.id))
                .map((item) => (
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
      )}
    </WithCart>
  )
}
