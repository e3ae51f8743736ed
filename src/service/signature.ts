import { createHash, createHmac } from "node:crypto"

interface SignedRequest {
  method: "GET" | "POST"
  /** Path of the URL, prefix included, query string excluded. */
  path: string
  /** Unix time in whole seconds. */
  timestamp: number
  /** Empty for GET. */
  idempotencyKey: string
  /** Exactly the bytes that are sent; absent for GET. */
  body?: Buffer
}

/** The text that the signature covers: method, path, time, key and the body's SHA-256, one per line. */
export function stringToSign(request: SignedRequest): string {
  const digest = createHash("sha256")
    .update(request.body ?? "")
    .digest("hex")
  return [request.method, request.path, request.timestamp, request.idempotencyKey, digest].join(
    "\n"
  )
}

/** Base64 of HMAC-SHA256 over `text`. */
export function sign(signingSecret: string, text: string): string {
  return createHmac("sha256", signingSecret).update(text).digest("base64")
}

/**
 * Value of the `Authorization` header. `scheme` is the service's prefix, for which the
 * specification shows only an example; `timestamp` is the signed one, in Unix seconds.
 */
export function authorizationHeader(parts: {
  scheme: string
  merchantId: string
  timestamp: number
  signature: string
}): string {
  return `${parts.scheme} kid=${parts.merchantId}, ts=${parts.timestamp}, sig=${parts.signature}`
}
