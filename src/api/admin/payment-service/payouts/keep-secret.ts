import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { withoutLongNumbers } from "../../../../settlement/payouts/card-text"

/** Addresses within addresses are encoded several times; nobody does so more often. */
const MOST_ENCODINGS = 3

/** Answers about payouts are stored nowhere, and a card number in an address, where it does not belong, is not logged. */
export function keepSecret(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): void {
  res.set("Cache-Control", "no-store")
  req.originalUrl = maskedAddress(req.originalUrl)
  // Core logs these, too; the address of a page may hold what somebody searched for.
  for (const name of ["referer", "referrer", "user-agent"]) {
    const told = req.headers[name]
    if (typeof told === "string") req.headers[name] = maskedAddress(told)
  }
  next()
}

/** An address as it may be logged. What is looked at is what it means, since each character can be encoded. */
export function maskedAddress(written: string): string {
  let meant = written
  for (let times = 0; times < MOST_ENCODINGS; times++) meant = decoded(meant)
  const masked = withoutLongNumbers(meant)
  return masked === meant ? written : encodeURI(masked)
}

/** Decodes what is encoded, and leaves all other text as it is. */
function decoded(text: string): string {
  return text.replaceAll("+", " ").replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
}
