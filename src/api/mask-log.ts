import type { MedusaRequestHandler } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { isStorable } from "../database/sql"
import { withoutLongNumbers } from "../payouts/rules/card-text"

/** An address within an address is encoded twice, and nobody encodes more often. */
const MOST_ENCODINGS = 3

/** Masks card numbers and searches, mostly for a customer's name or e-mail, in what core's request log prints of an admin's request. */
export const maskLogged: MedusaRequestHandler = (req, _res, next) => {
  if (/admin/i.test(meaningOf(req.originalUrl))) {
    req.originalUrl = maskedAddress(req.originalUrl)
    const { referer } = req.headers
    if (referer) req.headers.referer = maskedAddress(referer)
  }
  next()
}

/** Refuses a search that is no text, because core's error would repeat it. */
export const refuseOddSearch: MedusaRequestHandler = ({ query: { q = "" } }, _res, next) => {
  const refusal = new MedusaError(MedusaError.Types.INVALID_DATA, "q must be one text.")
  next(typeof q === "string" && isStorable(q) ? undefined : refusal)
}

export const keepSecret: MedusaRequestHandler = (_req, res, next) => {
  res.set("Cache-Control", "no-store")
  next()
}

/** An address as it may be logged, checked in its decoded form, because each character can be encoded. */
export function maskedAddress(written: string): string {
  const hidden = written.replace(/([?&]q(?:\[|%5b|=))[^&]*/gi, "$1***")
  const meant = meaningOf(hidden)
  const masked = withoutLongNumbers(meant)
  return masked === meant ? hidden : encodeURI(masked)
}

function meaningOf(written: string): string {
  let meant = written
  for (let times = 0; times < MOST_ENCODINGS; times++) {
    meant = meant.replaceAll("+", " ").replace(/(?:%[0-9a-f]{2})+/gi, decoded)
  }
  return meant
}

function decoded(run: string): string {
  try {
    return decodeURIComponent(run)
  } catch {
    return run
  }
}
