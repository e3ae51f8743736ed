import { createHash, createHmac, timingSafeEqual } from "node:crypto"

import { Refusal, type Exchange } from "./exchange"
import { sameText } from "./merchant-key"
import type { Settings } from "./options"

const WINDOW_SECONDS = 300

/**
 * Checks the signed scheme of the payout area against the bytes that arrived. The path is signed without
 * its query; a GET signs an empty idempotency key. @throws Refusal 401 for whatever is wrong
 */
export function requireSignature(exchange: Exchange, settings: Settings, nowMs: number): void {
  const [scheme, ...rest] = (exchange.headers.authorization ?? "").split(" ")
  const match = /^kid=([^,\s]+), ts=(\d{1,12}), sig=([A-Za-z0-9+/]+={0,2})$/.exec(rest.join(" "))
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
  const key = exchange.method === "GET" ? "" : (exchange.headers["idempotency-key"] ?? "")
  const digest = createHash("sha256").update(exchange.body).digest("hex")
  const expected = createHmac("sha256", settings.signingSecret)
    .update([exchange.method, exchange.path, timestamp, key, digest].join("\n"))
    .digest()
  const given = Buffer.from(signature, "base64")
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    throw new Refusal(401, "unauthorized", "The signature does not match.")
  }
}
