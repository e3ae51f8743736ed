import { createHash, timingSafeEqual } from "node:crypto"

import { Refusal, type Exchange } from "./exchange"
import type { Settings } from "./options"

/** The merchant key scheme: headers X-MerchantId and X-Secret. @throws Refusal 401 */
export function requireMerchantKey(exchange: Exchange, settings: Settings): void {
  const merchant = sameText(exchange.headers["x-merchantid"] ?? "", settings.merchantId)
  const secret = sameText(exchange.headers["x-secret"] ?? "", settings.secret)
  if (!merchant || !secret) {
    throw new Refusal(401, "unauthorized", "X-MerchantId or X-Secret is missing or wrong.")
  }
}

/** Compares in a time that does not show where two texts differ. */
export function sameText(given: string, expected: string): boolean {
  const digest = (value: string) => createHash("sha256").update(value).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
