import type { MedusaNextFunction, MedusaRequest, MedusaResponse } from "@medusajs/framework/http"

/** Thirteen digits and more, as they may be written in an address. */
const LONG_DIGITS = /\d(?:(?:%20|[+ -])?\d){12,}/g

/** Answers about payouts are stored nowhere, and a card number in an address, where it does not belong, is not logged. */
export function keepSecret(
  req: MedusaRequest,
  res: MedusaResponse,
  next: MedusaNextFunction
): void {
  res.set("Cache-Control", "no-store")
  req.originalUrl = req.originalUrl.replace(LONG_DIGITS, "***")
  // Core logs these, too; the address of a page may hold what somebody searched for.
  for (const name of ["referer", "referrer", "user-agent"]) {
    const told = req.headers[name]
    if (typeof told === "string") req.headers[name] = told.replace(LONG_DIGITS, "***")
  }
  next()
}
