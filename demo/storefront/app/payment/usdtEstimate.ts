import type { PaymentStatus } from "medusa-payment-sbp-crypto/storefront"
import type { Cart } from "../medusa"

/**
 * Roughly how many USDT a payment takes, from the rate in its session's data; null without one. The service does not say which way
 * its rate counts: a ruble is less than a USDT, so a rate above one is rubles per USDT.
 */
export function usdtEstimate({ id, amount }: PaymentStatus, cart: Cart | null): number | null {
  const session = cart?.payment_collection?.payment_sessions?.find((each) => each.id === id)
  const rate = Number(session?.data.usdt_rate ?? NaN)
  if (!Number.isFinite(rate) || rate <= 0) {
    return null
  }
  return rate > 1 ? Number(amount) / rate : Number(amount) * rate
}
