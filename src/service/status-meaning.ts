import type { Call } from "./call"
import type { PaymentServiceErrorKind } from "./errors"

/** Statuses that refuse a payout's first request. After any other status, money may have gone. */
export const PAYOUT_REFUSALS = new Set([400, 401, 403, 404, 422])

/** The specification shows only 200 as the answer to a payout, so no other status proves one. */
export function isAccepted({ effect }: Call, status: number): boolean {
  return effect === "payout" ? status === 200 : status >= 200 && status < 300
}

/**
 * Whether a reply says that nothing was done. A 4xx does, except 408, which says only that the service stopped waiting. For a
 * payout, only a refusal of the request itself does: a 409 or 429 may follow a request that went through before.
 */
export function isWithoutEffect({ effect }: Call, status: number): boolean {
  if (effect === "payout") return PAYOUT_REFUSALS.has(status)
  return status >= 400 && status < 500 && status !== 408
}

/** The kind of a status that is not 2xx, and the words that complete the sentence which `answererOf` begins. */
export function meaningOf(
  status: number,
  { scheme, linkHost }: Pick<Call, "scheme" | "linkHost">
): [PaymentServiceErrorKind, string] {
  if (status === 408) return ["timeout", "gave up waiting for the request"]
  if (status === 429) return ["rate_limited", "asks for fewer requests"]
  if (status >= 500) return ["unavailable", "is not available at the moment"]
  if (status < 300) return ["malformed", "answered with a status that its interface does not show"]
  if (status < 400) {
    const advice = linkHost === undefined ? "; check the base address" : ""
    return ["malformed", `answered with a redirect, which is not followed${advice}`]
  }
  if (linkHost !== undefined) return ["file_refused", "refused the file"]
  if (status === 401 || status === 403) {
    return [
      "unauthorized",
      `refused the merchant id or ${scheme === "signed" ? "the signature" : "secret"}`,
    ]
  }
  if (status === 404) return ["not_found", "does not know what was asked for"]
  return ["invalid", "did not accept the request"]
}
