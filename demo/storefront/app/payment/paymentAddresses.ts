import type { PaymentInHand } from "./findPayment"

/** The result page of a payment; the same address the backend sends the shopper back to. */
export function resultAddress(payment: PaymentInHand): string {
  return `/result?${queryOf(payment)}`
}

/** The payment page of a payment that was begun elsewhere. */
export function payAddress(payment: PaymentInHand): string {
  return `/checkout/pay?${queryOf(payment)}`
}

function queryOf({ sessionId, cartId }: PaymentInHand): string {
  const query = new URLSearchParams({ session: sessionId })
  if (cartId) {
    query.set("cart", cartId)
  }
  return query.toString()
}
