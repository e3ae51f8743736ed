import { openSession, OpenPaymentLine } from "medusa-payment-sbp-crypto-storefront"
import type { ReactNode } from "react"
import { useCart } from "../cart/CartProvider"
import { useLocale } from "../i18n/LocaleProvider"
import { type Cart, reader } from "../medusa"
import { navigate } from "../navigation"
import { rememberedPayment } from "../remembered"
import { payAddress, resultAddress } from "./addresses"
import { paymentSlots } from "./look"

/** A line about the cart's open payment, the way to its order as soon as there is one, and what pays for the cart until then. */
export function CartPayment({ cart, children }: { cart: Cart; children?: ReactNode }) {
  const { locale } = useLocale()
  const { reload } = useCart()
  const last = rememberedPayment.read()
  const sessionId = openSession(cart)?.id ?? (last?.cartId === cart.id ? last.sessionId : null)
  if (!sessionId) {
    return children
  }
  return (
    <OpenPaymentLine
      sessionId={sessionId}
      reader={reader}
      locale={locale}
      slots={paymentSlots}
      href={payAddress(sessionId)}
      onPaid={() => {
        navigate(resultAddress(sessionId), { replace: true })
        void reload()
      }}
    >
      {children}
    </OpenPaymentLine>
  )
}
