export type ServiceLogger = Record<"debug" | "info" | "warn" | "error", (message: string) => void>

const MASK = "***"
/** Shorter ones would mask ordinary words. */
const SHORTEST_SECRET = 6
/** In characters; the service may send 1 MB. */
const LONGEST_TEXT = 10_000
/** Left out before the cut, where a secret that is cut in two is not recognised. */
const LEFT_OUT = 1_000

/** Keys whose values are secret or the payer's, in camel, snake or header writing. */
const KEY =
  String.raw`((?<![a-z0-9])(?:(?:x[-_])?secret|(?:api|signing|client)[-_]?secret|proxy-authorization|authorization|qr|` +
  String.raw`user[-_]?(?:id|name)|client[-_]?ip|(?:customer[-_]?)?email|card[-_]?number)\\?["']?\s*[:=,]\s*)`

/** Each masks one kind of text. In a quoted value, every alternative starts with another character, so no pattern backtracks. */
const RULES: [RegExp, string][] = [
  // Any number that is as long as a card's, in one piece or in the groups that are printed on cards; no part of a UUID.
  [
    /(?<!\d)\d{15,19}(?!\d)|(?<![\w-])\d{4}([ -])(?:\d{4}\1\d{4}\1\d{4}|\d{6}\1\d{5})(?![\w-])/g,
    MASK,
  ],
  // A header line is secret to its end: `Authorization: SVC-HMAC kid=…, ts=…, sig=…`.
  [/(\b(?:x-secret|(?:proxy-)?authorization)\s*[:=]\s*)(?!["'\\\s])[^\r\n"']+/giu, `$1${MASK}`],
  // JSON within a JSON string, JSON, and an inspected object keep their quotes.
  [
    new RegExp(KEY + String.raw`\\"(?:[^\\]|\\\\(?:\\")?|\\[^"\\])*(?:\\")?`, "giu"),
    `$1\\"${MASK}\\"`,
  ],
  [new RegExp(KEY + String.raw`"(?:[^"\\]|\\[\s\S])*"?`, "giu"), `$1"${MASK}"`],
  [new RegExp(KEY + String.raw`'(?:[^'\\]|\\[\s\S])*'?`, "giu"), `$1'${MASK}'`],
  [
    new RegExp(KEY.replace("[:=,]", "[:=]") + String.raw`(?!null\b)[^\s"'\\,;&{}[\]()]+`, "giu"),
    `$1${MASK}`,
  ],
  [/(\bsig=)[a-z0-9+/=_-]+/giu, `$1${MASK}`],
  [/(\/hooks\/payment-service\/)[^/?#\s"'\\]+/giu, `$1${MASK}`],
  [
    /(?<![\p{L}\p{N}._%+-])[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63})+/giu,
    MASK,
  ],
  [/(?<![\p{L}\p{N}+])\+\d(?:[ ()-]{0,2}\d){9,13}(?!\d)/giu, MASK],
]

const secrets = new Set<string>()
let anySecret = /(?!)/g

/** Makes `redact` mask `value` (a secret, a token) from now on: as it is, as part of a URL and within JSON. */
export function registerSecret(value: string): void {
  if (value.length < SHORTEST_SECRET || secrets.has(value)) return
  secrets.add(value).add(encodeURIComponent(value)).add(JSON.stringify(value).slice(1, -1))
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length)
  const escaped = longestFirst.map((text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`))
  anySecret = new RegExp(escaped.join("|"), "giu")
}

export const withoutSecrets = (text: string) => text.replace(anySecret, MASK)

/** `text` without registered secrets and all that `RULES` mask. One of more than 10,000 characters is cut. */
export function redact(text: string): string {
  let shown = withoutSecrets(text.slice(0, LONGEST_TEXT))
  for (const [pattern, mask] of RULES) shown = shown.replace(pattern, mask)
  return text.length > LONGEST_TEXT ? `${shown.slice(0, -LEFT_OUT)}…` : shown
}

/** Redacts each text in facts that are kept as JSON. Amounts stay as they are: 666.666666666666666 is no card number. */
export function redactFacts<Facts extends object>(facts: Facts): Facts {
  const shown = (name: string, value: unknown) =>
    typeof value === "string" && name !== "amount" ? redact(value) : value
  return JSON.parse(JSON.stringify(facts, shown)) as Facts
}

export function redactingLogger(logger: ServiceLogger): ServiceLogger {
  const as = (level: keyof ServiceLogger) => (message: string) => logger[level](redact(message))
  return { debug: as("debug"), info: as("info"), warn: as("warn"), error: as("error") }
}
