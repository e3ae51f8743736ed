import { OpenPaymentLine } from "medusa-payment-sbp-crypto/storefront"
import { useCart } from "../cart/CartProvider"
import { useLocale } from "../i18n/LocaleProvider"
import { sdk, type Cart } from "../medusa"
import { navigate } from "../navigation"
import { findPayment } from "./findPayment"
import { paymentSlots } from "./look"
import { payAddress, resultAddress } from "./paymentAddresses"

/** A line about the cart's open payment, and the way to its order as soon as there is one. */
export function CartPayment({ cart }: { cart: Cart }) {
  const { locale } = useLocale()
  const { reload } = useCart()
  const payment = findPayment(cart, null, null)
  if (!payment) {
    return null
  }
  return (
    <OpenPaymentLine
      sessionId={payment.sessionId}
      reader={sdk}
      locale={locale}
      slots={paymentSlots}
      href={payAddress(payment)}
      onPaid={() => {
        navigate(resultAddress(payment), { replace: true })
        void reload()
      }}
    />
  )
}
