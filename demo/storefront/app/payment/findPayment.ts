import { openSession } from "medusa-payment-sbp-crypto-storefront"
import type { Cart } from "../medusa"
import { rememberedPayment } from "../remembered"
import { plainId } from "./plainId"

export interface PaymentInHand {
  sessionId: string
  cartId: string | null
}

/** The payment to go on with: the one in the address, else the cart's open one, else the one started last. */
export function findPayment(
  cart: Cart | null,
  asked: string | null,
  askedCart: string | null
): PaymentInHand | null {
  const last = rememberedPayment.read()
  const askedId = plainId(asked)
  if (askedId) {
    const lastCart = last?.sessionId === askedId ? last.cartId : null
    return { sessionId: askedId, cartId: plainId(askedCart) ?? lastCart ?? cart?.id ?? null }
  }
  const open = openSession(cart)
  if (open) {
    return { sessionId: open.id, cartId: cart?.id ?? null }
  }
  // A newer cart has nothing to do with an older one's payment.
  if (last && (!cart || last.cartId === cart.id)) {
    return last
  }
  return null
}
