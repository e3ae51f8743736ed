import { useCart } from "../cart/CartProvider"
import { CheckoutForm } from "../checkout/CheckoutForm"
import { Empty } from "../frame/Empty"
import { FailureNote } from "../frame/FailureNote"
import { Loading } from "../frame/Loading"
import { usePageTitle } from "../frame/usePageTitle"
import { useLocale } from "../i18n/LocaleProvider"
import { useOrderOfCart } from "../payment/CartPayment"

export function CheckoutPage() {
  const { t } = useLocale()
  const { cart, ready, failed, reload } = useCart()
  usePageTitle(t.checkout.title)
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
  return <CheckoutForm key={cart.id} cart={cart} />
}
