/** The part of Medusa's logger that is used here. */
export interface ServiceLogger {
  debug(message: string): void
  info(message: string): void
  warn(message: string): void
  error(message: string): void
}

const MASK = "***"
const SHORTEST_SECRET = 6
const LEAST_CARD_DIGITS = 13
const MOST_CARD_DIGITS = 19
/** In characters. A longer text is cut before it is redacted: the service may send 1 MB, and nobody reads that. */
const LONGEST_TEXT = 10_000
/** Characters behind the cut that are searched as well, so that a secret across the cut is recognised. */
const LOOK_AHEAD = 1_000

const secrets = new Set<string>()
let longestSecret = 0

/** Keys whose values are secret or the payer's, in camel, snake or header writing. */
const FIELD =
  "(?:x[-_])?secret|(?:api|signing|client)[-_]?secret|proxy-authorization|authorization|qr|user[-_]?(?:id|name)|" +
  "client[-_]?ip|(?:customer[-_]?)?email|card[-_]?number"

/**
 * A quoted value after its key: in JSON within a JSON string, in JSON, or in an inspected object. Every alternative
 * starts with another character and none can fail once begun, so the pattern never backtracks; an unterminated string
 * is masked to its end.
 */
const VALUE = [
  String.raw`\\"(?:[^\\]|\\\\(?:\\")?|\\[^"\\])*(?:\\")?`,
  String.raw`"(?:[^"\\]|\\[\s\S])*"?`,
  String.raw`'(?:[^'\\]|\\[\s\S])*'?`,
].join("|")

/**
 * The patterns, in order of precedence at one place of the text. UUIDs are matched to be left as they are, because
 * their digits may look like a card number.
 */
const PATTERNS = {
  uuid: String.raw`(?<uuid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`,
  // A header line is secret to its end: `Authorization: SVC-HMAC kid=…, ts=…, sig=…`.
  header: String.raw`(?<headerName>\b(?:x-secret|(?:proxy-)?authorization)\s*[:=]\s*)(?!["'\\\s])[^\r\n"']+`,
  field: String.raw`(?<key>(?<![a-z0-9])(?:${FIELD})\\?["']?\s*[:=,]\s*)(?<value>${VALUE})`,
  bareField: String.raw`(?<bareKey>(?<![a-z0-9])(?:${FIELD})\\?["']?\s*[:=]\s*)(?!null\b)[^\s"'\\,;&{}[\]()]+`,
  signature: String.raw`(?<sig>\bsig=)[a-z0-9+/=_-]+`,
  callback: String.raw`(?<hook>/hooks/payment-service/)[^/?#\s"'\\]+`,
  email: String.raw`(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+`,
  phone: String.raw`(?<![\p{L}\p{N}+])\+\d(?:[ ()-]{0,2}\d){9,13}(?!\d)`,
  digits: String.raw`(?<run>\d(?:[ -]?\d){12,})`,
}

let pattern = compile()

function compile(): RegExp {
  const values = [...secrets].sort((a, b) => b.length - a.length).map(escapeForPattern)
  return new RegExp(
    [...values, ...Object.values(PATTERNS)].map((part) => `(?:${part})`).join("|"),
    "giu"
  )
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/**
 * Makes `redact` mask `value` (a secret, a token) from now on: as it is, as part of a URL and within JSON. Values shorter than 6
 * characters are ignored: masking them would mask ordinary words.
 */
export function registerSecret(value: string): void {
  if (value.length < SHORTEST_SECRET || secrets.has(value)) return
  secrets.add(value).add(encodeURIComponent(value)).add(JSON.stringify(value).slice(1, -1))
  longestSecret = Math.max(...[...secrets].map(({ length }) => length))
  pattern = compile()
}

/**
 * `text` without registered secrets, authorization headers, card numbers, callback tokens, QR data, e-mail addresses, phone
 * numbers written with a plus and the payer's data under their keys. It is cut after 10,000 characters, and one pass takes linear
 * time.
 */
export function redact(text: string): string {
  const looked = text.slice(0, LONGEST_TEXT + Math.max(LOOK_AHEAD, longestSecret))
  let shown = ""
  let from = 0
  for (const match of looked.matchAll(pattern)) {
    if (match.index >= LONGEST_TEXT) break
    shown += looked.slice(from, match.index) + maskMatch(match)
    from = match.index + match[0].length
  }
  shown += looked.slice(from, Math.max(from, LONGEST_TEXT))
  return text.length > LONGEST_TEXT ? `${shown}…` : shown
}

/** Redacts each text in facts that are kept as JSON. Amounts stay as they are: 666.6666666666666 is no card number. */
export function redactFacts<Facts extends object>(facts: Facts): Facts {
  return JSON.parse(
    JSON.stringify(facts, (name, value: unknown) =>
      typeof value === "string" && name !== "amount" ? redact(value) : value
    )
  ) as Facts
}

function maskMatch({ 0: text, groups: found = {} }: RegExpMatchArray): string {
  const { uuid, run, key, value, headerName, bareKey, sig, hook } = found as Partial<typeof found>
  if (uuid !== undefined) return text
  if (run !== undefined) return maskCardNumbers(run)
  if (key !== undefined && value !== undefined) return key + maskQuoted(value)
  return (headerName ?? bareKey ?? sig ?? hook ?? "") + MASK
}

/** A logger that redacts what its callers log. */
export function redactingLogger(logger: ServiceLogger): ServiceLogger {
  return {
    debug: (message) => logger.debug(redact(message)),
    info: (message) => logger.info(redact(message)),
    warn: (message) => logger.warn(redact(message)),
    error: (message) => logger.error(redact(message)),
  }
}

/** Keeps the quotes, so that masked JSON still reads as JSON. */
function maskQuoted(value: string): string {
  const quote = /^\\?["']/.exec(value)?.[0] ?? ""
  return quote + MASK + quote
}

/**
 * A run of digit groups may hold a card number next to other numbers ("1000 4111 1111 1111 1111"), so every stretch of
 * whole groups is tried; parts of a group are not, because a long number is not a card.
 */
function maskCardNumbers(run: string): string {
  const groups = [...run.matchAll(/\d+/g)].map(({ 0: digits, index }) => ({
    digits,
    start: index,
    end: index + digits.length,
  }))
  let masked = ""
  let from = 0
  for (const [first, { start }] of groups.entries()) {
    if (start < from) continue
    let digits = ""
    let cardEnd = 0
    for (const group of groups.slice(first, first + MOST_CARD_DIGITS)) {
      digits += group.digits
      if (digits.length > MOST_CARD_DIGITS) break
      if (isCardNumber(digits, run.slice(start, group.end))) cardEnd = group.end
    }
    if (cardEnd === 0) continue
    masked += run.slice(from, start) + MASK
    from = cardEnd
  }
  return masked + run.slice(from)
}

/** @param text the same digits with the characters written between them */
function isCardNumber(digits: string, text: string): boolean {
  return digits.length >= LEAST_CARD_DIGITS && passesLuhn(digits) && !isTime(text)
}

/**
 * Recognises Unix time in milli-, micro- or nanoseconds, `YYYYMMDDHHmmss…`, and dates side by side: one in ten of these passes
 * Luhn.
 */
function isTime(text: string): boolean {
  return (
    /^1[4-9](?:\d{11}|\d{14}|\d{17})$/.test(text) ||
    /^(?:19|20)\d\d(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{5,9}$/.test(text) ||
    /\b\d{4}-\d\d-\d\d\b/.test(text)
  )
}

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let position = 1; position <= digits.length; position++) {
    const digit = digits.charCodeAt(digits.length - position) - 48
    sum += position % 2 ? digit : digit > 4 ? digit * 2 - 9 : digit * 2
  }
  return sum % 10 === 0
}
