import type { PaymentStatus } from "./payment-status.js"

/**
 * Roughly how many USDT a payment takes; null without a rate. The service does not say which way its rate counts: a ruble is less
 * than a USDT, so a rate above one is rubles per USDT.
 */
export function usdtEstimate({ amount, usdt_rate }: PaymentStatus): number | null {
  const rate = Number(usdt_rate)
  return rate > 0 ? Number(amount) / (rate > 1 ? rate : 1 / rate) : null
}
