import { createHash, createHmac, timingSafeEqual } from "node:crypto"

import { Refusal, type Exchange } from "./exchange"
import type { Settings } from "./options"

const WINDOW_SECONDS = 300

/** The merchant key scheme: headers X-MerchantId and X-Secret. @throws Refusal 401 */
export function requireMerchantKey(exchange: Exchange, settings: Settings): void {
  const merchant = sameText(exchange.headers["x-merchantid"] ?? "", settings.merchantId)
  const secret = sameText(exchange.headers["x-secret"] ?? "", settings.secret)
  if (!merchant || !secret) {
    throw new Refusal(401, "unauthorized", "X-MerchantId or X-Secret is missing or wrong.")
  }
}

/**
 * Checks the signed scheme of the payout area against the received bytes. The path is signed without its query; a GET signs an
 * empty idempotency key and an empty body. @throws Refusal 401
 */
export function requireSignature(exchange: Exchange, settings: Settings, nowMs: number): void {
  const [scheme, ...rest] = (exchange.headers.authorization ?? "").split(" ")
  const match = /^kid=([^,\s]+), ts=(\d{1,12}), sig=([A-Za-z0-9+/]+=*)$/.exec(rest.join(" "))
  const [, kid, timestamp, signature] = match ?? []
  if (scheme !== settings.scheme || !kid || !timestamp || !signature) {
    throw new Refusal(
      401,
      "unauthorized",
      `Authorization must be: ${settings.scheme} kid=<merchant>, ts=<unix seconds>, sig=<base64>.`
    )
  }
  if (!sameText(kid, settings.merchantId)) {
    throw new Refusal(401, "unauthorized", "kid is not a merchant of this service.")
  }
  if (Math.abs(Math.floor(nowMs / 1000) - Number(timestamp)) > WINDOW_SECONDS) {
    throw new Refusal(401, "unauthorized", "ts is more than 300 seconds away from our clock.")
  }
  // SHA-256 has 32 bytes, so their Base64 is 44 characters, of which the last one is padding.
  if (!/^[^=]{43}=$/.test(signature)) {
    throw new Refusal(401, "unauthorized", "sig must be Base64 of 32 bytes, with its padding.")
  }
  const isGet = exchange.method === "GET"
  const key = isGet ? "" : (exchange.headers["idempotency-key"] ?? "")
  const digest = createHash("sha256")
    .update(isGet ? "" : exchange.body)
    .digest("hex")
  const signed = [exchange.method, exchange.path, timestamp, key, digest].join("\n")
  const expected = createHmac("sha256", settings.signingSecret).update(signed).digest("base64")
  // The comparison is of texts, because another last letter of Base64 could stand for the same bytes.
  if (!sameText(signature, expected)) {
    const message = `The signature does not match. Signed must be: ${JSON.stringify(signed)}`
    throw new Refusal(401, "unauthorized", message)
  }
}

/** Compares in a time that does not show where two texts differ. */
export function sameText(given: string, expected: string): boolean {
  const digest = (value: string) => createHash("sha256").update(value).digest()
  return timingSafeEqual(digest(given), digest(expected))
}
