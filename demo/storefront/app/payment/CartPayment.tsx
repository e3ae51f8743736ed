import { OpenPaymentLine } from "medusa-payment-sbp-crypto-storefront"
import { type ReactNode, useEffect, useRef } from "react"
import { useCart } from "../cart/CartProvider"
import { useLocale } from "../i18n/LocaleProvider"
import { reader, type Cart } from "../medusa"
import { navigate } from "../navigation"
import { findPayment } from "./findPayment"
import { paymentSlots } from "./look"
import { payAddress, resultAddress } from "./paymentAddresses"
import { rememberedPayment } from "../remembered"

/** A line about the cart's open payment, the way to its order as soon as there is one, and what pays for the cart until then. */
export function CartPayment({ cart, children }: { cart: Cart; children?: ReactNode }) {
  const { locale } = useLocale()
  const { reload } = useCart()
  const payment = findPayment(cart, null, null)
  if (!payment) {
    return children
  }
  return (
    <OpenPaymentLine
      sessionId={payment.sessionId}
      reader={reader}
      locale={locale}
      slots={paymentSlots}
      href={payAddress(payment)}
      onPaid={() => {
        navigate(resultAddress(payment), { replace: true })
        void reload()
      }}
    >
      {children}
    </OpenPaymentLine>
  )
}

/** Leads from a page of the cart to its payment when the cart becomes an order meanwhile, in this tab or another one. */
export function useOrderOfCart(): void {
  const { cart, ready } = useCart()
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const payment = rememberedPayment.read()
    if (cart) {
      shown.current = cart.id
    } else if (ready && shown.current !== null && payment?.cartId === shown.current) {
      navigate(resultAddress(payment), { replace: true })
    }
  }, [cart, ready])
}
