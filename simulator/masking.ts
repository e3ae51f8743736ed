import type { Settings } from "./options"

const MASK = "***"
/** A shorter secret could be a part of ordinary words. */
const SHORTEST_SECRET = 8

/**
 * Sixteen digits in one piece or in four groups of four, also URL-encoded; the length is the specification's. UUIDs are matched
 * too, so that they stay unchanged: their digits may look the same.
 */
const UUID_OR_CARD_NUMBER =
  /([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})|(?:(?<!\d)|(?<=%20))\d{4}([ +-]|%20|)\d{4}\2\d{4}\2(\d{4})(?!\d)/gi
/** The value of a card number's field, of any length, even in broken JSON. */
const CARD_FIELD = /("card_?number"\s*:\s*)("[^"]*"?|[^\s",}\]]+)/gi
const SECRET_NAME = /secret|signature|token|password|api-?key|cookie|authorization/i

/** Masks card numbers except their last four digits, and the two secrets everywhere. */
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
  // A masked number stays unchanged.
  const isShown = digits.length >= 12 || /^"\*{12}\d{4}"$/.test(value)
  return isShown ? `************${digits.slice(-4)}` : MASK
}

/** Masks headers and queries; values whose name suggests a secret are masked whatever they are. */
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

/** Scheme, kid and ts help to explain a refused signature; the rest is masked. */
function maskedAuthorization(value: string, settings: Settings): string {
  const parts = /^(\S+ kid=[^,\s]*, ts=[^,\s]*, sig=)/.exec(value)
  const [scheme = "", ...rest] = value.split(" ")
  const shown = parts?.[1] ?? (rest.length > 0 ? `${scheme} ` : "")
  return masked(shown, settings) + MASK
}

/** A request's address, with the values of secret parameters masked. */
export function maskedAddress(address: string, settings: Settings): string {
  const [path = "", query] = address.split(/\?(.*)/s)
  if (query === undefined) return masked(path, settings)
  const parameters = query.split("&").map((parameter) => {
    const [name = ""] = parameter.split("=")
    return SECRET_NAME.test(name) ? `${name}=${MASK}` : parameter
  })
  return masked(`${path}?${parameters.join("&")}`, settings)
}
