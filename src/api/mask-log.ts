import type { MedusaRequestHandler } from "@medusajs/framework/http"
import { MedusaError } from "@medusajs/framework/utils"

import { isStorable } from "../database/sql"
import { withoutLongNumbers } from "../payouts/rules/card-text"
import { withoutSecrets } from "../service/redact"

/** An address within an address is encoded twice, and nobody encodes more often. */
const MOST_ENCODINGS = 3

/**
 * Masks secrets, callback tokens among them, in what core's request log prints of any request, and in an admin's also card numbers
 * and searches, mostly for a customer's name or e-mail.
 */
export const maskLogged: MedusaRequestHandler = (req, res, next) => {
  const { originalUrl: address, path, headers } = req
  const isOfAdmin = /admin/i.test(meaningOf(address))
  const mask = isOfAdmin ? maskedAddress : (written: string) => maskedIn(written, withoutSecrets)
  req.originalUrl = mask(address)
  if (headers.referer) headers.referer = mask(headers.referer)
  // Express cannot decode it, and its error would repeat what is masked.
  const isUnreadable = path.includes("%") && decoded(path) === path
  if (isUnreadable && req.originalUrl !== address) res.sendStatus(404)
  else next()
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

export function maskedAddress(written: string): string {
  const hidden = written.replace(/([?&]q(?:\[|%5b|=))[^&]*/gi, "$1***")
  return maskedIn(hidden, (meant) => withoutLongNumbers(withoutSecrets(meant)))
}

/** Masks an address in its decoded form, because each character can be encoded. */
function maskedIn(written: string, mask: (meant: string) => string): string {
  const meant = meaningOf(written)
  const masked = mask(meant)
  return masked === meant ? written : encodeURI(masked)
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
