import type { Settings } from "./options"

const MASK = "***"
/** A shorter secret would be found in ordinary words. */
const SHORTEST_SECRET = 8

/**
 * Sixteen digits in one piece or in four groups of four, also as they are written in an address; the length
 * is the specification's. UUIDs are matched in order to be left alone: their digits may look the same.
 */
const UUID_OR_CARD_NUMBER =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|(?:(?<!\d)|(?<=%20))\d{4}([ +-]|%20|)\d{4}\2\d{4}\2(\d{4})(?!\d)/gi
/** The value of a field for a card number, however long it is and even if the JSON is broken. */
const CARD_FIELD = /("card_?number"\s*:\s*)("[^"]*"?|[^\s",}\]]+)/gi
const SECRET_NAME = /secret|signature|token|password|api-?key|cookie|authorization/i

/** Hides card numbers but for their last four digits, and the two secrets wherever they stand. */
export function masked(text: string, settings: Settings): string {
  let result = text
    .replace(CARD_FIELD, (_whole, name: string, value: string) => `${name}"${cardMask(value)}"`)
    .replace(UUID_OR_CARD_NUMBER, (_whole, uuid?: string, _gap?: string, last4 = "") => {
      return uuid ?? `************${last4 as string}`
    })
  for (const secret of [settings.secret, settings.signingSecret]) {
    if (secret.length >= SHORTEST_SECRET) result = result.replaceAll(secret, MASK)
  }
  return result
}

function cardMask(value: string): string {
  const digits = value.replace(/\D/g, "")
  // A number that is masked already stays as it is.
  const isShown = digits.length >= 12 || /^"\*{12}\d{4}"$/.test(value)
  return isShown ? `************${digits.slice(-4)}` : MASK
}

/** Headers and queries: the values of those whose names tell of a secret are hidden whatever they are. */
export function maskedHeaders(
  headers: Record<string, string>,
  settings: Settings
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (name === "authorization") return [name, maskedAuthorization(value, settings)]
      return [name, SECRET_NAME.test(name) ? MASK : masked(value, settings)]
    })
  )
}

/** Scheme, kid and ts help to see why a signature was refused; all else is hidden. */
function maskedAuthorization(value: string, settings: Settings): string {
  const parts = /^(\S+ kid=[^,\s]*, ts=[^,\s]*, sig=)/.exec(value)
  const [scheme = "", ...rest] = value.split(" ")
  const shown = parts?.[1] ?? (rest.length > 0 ? `${scheme} ` : "")
  return masked(shown, settings) + MASK
}

/** An address as it was asked for, with the values of secret parameters hidden. */
export function maskedAddress(address: string, settings: Settings): string {
  const [path = "", query] = address.split(/\?(.*)/s)
  if (query === undefined) return masked(path, settings)
  const parameters = query.split("&").map((parameter) => {
    const [name = ""] = parameter.split("=")
    return SECRET_NAME.test(name) ? `${name}=${MASK}` : parameter
  })
  return masked(`${path}?${parameters.join("&")}`, settings)
}
