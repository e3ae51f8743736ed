import type { MedusaRequest, MedusaRequestHandler } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { withoutLongNumbers } from "../../../../payouts/rules/card-text"

/** The nested encodings that are undone: an address within an address is encoded twice, and nobody does so more often. */
const MOST_ENCODINGS = 3

/** Prevents caching of answers about payouts, and masks a card number in an address, where it does not belong, before the log. */
export const keepSecret: MedusaRequestHandler = (req, res, next) => {
  res.set("Cache-Control", "no-store")
  maskLogged(req, maskedAddress)
  next()
}

/**
 * Masks an admin's search text before the log, because it is mostly a customer's name or e-mail address. One that is no text is
 * refused here, because core's error would repeat it.
 */
export const hideSearch: MedusaRequestHandler = (req, _res, next) => {
  maskLogged(req, (written) => written.replace(/([?&]q(?:\[|%5b|=))[^&]*/gi, "$1***"))
  const { q = "" } = req.query
  const refusal = new MedusaError(MedusaError.Types.INVALID_DATA, "q must be one text.")
  next(typeof q === "string" ? undefined : refusal)
}

/** Masks what core's request log prints: the address, and headers of which one is the address of the page that asks. */
function maskLogged(req: MedusaRequest, masked: (written: string) => string): void {
  req.originalUrl = masked(req.originalUrl)
  for (const name of ["referer", "referrer", "user-agent"]) {
    const value = req.headers[name]
    if (typeof value === "string") req.headers[name] = masked(value)
  }
}

/** Masks a card number in any address of an admin's routes, because `keepSecret` does not see a misspelt one about payouts. */
export const maskMisspelt: MedusaRequestHandler = (req, _res, next) => {
  req.originalUrl = maskedAddress(req.originalUrl, /admin/i)
  next()
}

/** An address as it may be logged, if it matches. It is checked in its decoded form, because each character can be encoded. */
export function maskedAddress(written: string, only = /^/): string {
  let meant = written
  for (let times = 0; times < MOST_ENCODINGS; times++) meant = decoded(meant)
  if (!only.test(meant)) return written
  const masked = withoutLongNumbers(meant)
  return masked === meant ? written : encodeURI(masked)
}

/** Decodes encoded characters and leaves all other text unchanged. */
function decoded(text: string): string {
  return text.replaceAll("+", " ").replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    try {
      return decodeURIComponent(run)
    } catch {
      return run
    }
  })
}
