import { type ReactNode, useEffect, useRef } from "react"
import { Empty, Loading } from "../frame/Empty"
import { FailureNote } from "../frame/FailureNote"
import { useLocale } from "../i18n/LocaleProvider"
import type { Cart } from "../medusa"
import { navigate } from "../navigation"
import { resultAddress } from "../payment/addresses"
import { rememberedPayment } from "../remembered"
import { useCart } from "./CartProvider"

/** A page of the cart, or the reason why there is none. */
export function WithCart({ children }: { children: (cart: Cart) => ReactNode }) {
  const { t } = useLocale()
  const { cart, ready, failed, reload } = useCart()
  useOrderOfCart()

  if (!ready) {
    return <Loading />
  }
  if (!cart && failed) {
    return <FailureNote error={failed} what="load" onRetry={() => void reload()} />
  }
  return cart?.items?.length ? children(cart) : <Empty title={t.cart.empty} />
}

/** Leads from a page of the cart to its payment when the cart becomes an order meanwhile, in this tab or another one. */
function useOrderOfCart(): void {
  const { cart, ready } = useCart()
  const shown = useRef<string | null>(null)
  useEffect(() => {
    const payment = rememberedPayment.read()
    if (cart) {
      shown.current = cart.id
    } else if (ready && shown.current !== null && payment?.cartId === shown.current) {
      navigate(resultAddress(payment.sessionId), { replace: true })
    }
  }, [cart, ready])
}
