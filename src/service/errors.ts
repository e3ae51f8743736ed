import type { Readable } from "node:stream"
import type { AxiosResponse } from "axios"
import type { Call } from "./client"
import { redact } from "./redact"

export type PaymentServiceErrorKind =
  | "invalid" // The request cannot be accepted as it is: refused before sending, or by a 4xx reply.
  | "unauthorized" // Merchant id, secret or signature was refused (401, 403).
  | "not_found" // 404
  | "link_refused" // The link of an export leads to a host that the option `export.linkHosts` does not name.
  | "file_refused" // The host to which the link of an export leads refused the file (4xx).
  | "rate_limited" // 429
  | "unavailable" // No connection, a broken connection, or a 5xx reply.
  | "timeout" // The call's budget ran out, its caller gave it up, or a 408 reply.
  | "malformed" // A reply that is not what the specification says, redirects included.

/** The topic of the service's text when it refuses a payout, as far as recognised; `unread` when it is too long or broke off. */
type RefusalTopic = "key" | "balance" | "amount" | "card" | "feature" | "unread"

/** The only error of a call. It has no `cause`, because axios' errors carry the secret in their headers into every log. */
export class PaymentServiceError extends Error {
  override readonly name = "PaymentServiceError"
  /** False only when the request changes nothing, or provably was not carried out. */
  readonly mayHaveTakenEffect: boolean = false
  readonly httpStatus?: number
  readonly retryAfterMs?: number
  readonly topic?: RefusalTopic
  /** The service's own words, redacted, when they may be quoted. */
  readonly detail?: string

  constructor(
    readonly kind: PaymentServiceErrorKind,
    message: string,
    { detail, ...details }: FailureDetails = {}
  ) {
    super(redact(message))
    Object.assign(this, details)
    this.detail = detail && redact(detail)
  }
}

type FailureDetails = Partial<Omit<PaymentServiceError, keyof Error | "kind">>

export async function nullIfNotFound<Answer>(asking: Promise<Answer>): Promise<Answer | null> {
  return await asking.catch((error: unknown) => {
    if (error instanceof PaymentServiceError && error.kind === "not_found") return null
    throw error
  })
}

/** The error of a call. It may have taken effect, unless the call only reads or `details` say otherwise. */
export function failed(
  { effect }: Call,
  kind: PaymentServiceErrorKind,
  message: string,
  details: FailureDetails = {}
): PaymentServiceError {
  const mayHaveTakenEffect = effect !== "read"
  return new PaymentServiceError(kind, message, { mayHaveTakenEffect, ...details })
}

export function malformed(call: Call, problem: string, detail?: string): PaymentServiceError {
  const reply = `The Payment Service's reply to ${call.method} ${shownPath(call)}`
  return failed(call, "malformed", `${reply} ${problem}`, { detail })
}

/** The system call shows whether a byte was sent: an established connection can end in ETIMEDOUT or EHOSTUNREACH, too. */
export function connectionFailure(call: Call, error: unknown): PaymentServiceError {
  // Axios wraps what Node reports, and Node reports all addresses that it tried together.
  const { code, cause = error } = error as { code?: string; cause?: unknown }
  const { errors = [cause] } = cause as { errors?: unknown[] }
  const systemCalls = errors.map((one) => (one as NodeJS.ErrnoException).syscall ?? "")
  const isUnsent =
    systemCalls.length > 0 && systemCalls.every((name) => /^(connect|getaddrinfo)$/.test(name))
  const what = isUnsent ? "could not be reached" : "broke the connection off"
  const message = `${answererOf(call)} ${what}${code ? ` (${code})` : ""}`
  return failed(call, "unavailable", message, isUnsent ? { mayHaveTakenEffect: false } : {})
}

/** The other side, as the subject of a sentence. */
export const answererOf = ({ linkHost }: Call) =>
  linkHost === undefined
    ? "The Payment Service"
    : `The host ${linkHost}, to which the Payment Service's export leads,`

/** The path of an export's file is not shown, because its secrecy may be the file's only protection. */
export const shownPath = ({ linkHost, url }: Call) =>
  linkHost === undefined ? new URL(url).pathname : "(export file)"

const QUOTABLE_REPLY_BYTES = 16 * 1024
const QUOTED_REPLY_CHARACTERS = 200
const LONG_DIGITS = /\d(?:[ -]?\d){11,}/g

/** Statuses that refuse a payout's first request. After any other status, money may have gone. */
const PAYOUT_REFUSALS = new Set([400, 401, 403, 404, 422])

/** The specification shows only 200 as the answer to a payout, so no other status proves one. */
export const isAccepted = ({ effect }: Call, status: number) =>
  effect === "payout" ? status === 200 : status >= 200 && status < 300

export async function refusalOf(call: Call, reply: AxiosResponse<Readable>) {
  const { status, headers, data } = reply
  const { detail, topic } = await readRefusal(call, status, data)
  const [kind, meaning] = meaningOf(call, status)
  const message = `${answererOf(call)} ${meaning} (${status})${detail && `: ${detail}`}`
  return new PaymentServiceError(kind, message, {
    // A refusal because of a used key shows that an earlier request has arrived, and one that was not read may be such a one.
    mayHaveTakenEffect:
      call.effect !== "read" &&
      (topic === "key" || topic === "unread" || !isWithoutEffect(call, status)),
    httpStatus: status,
    // It is in seconds; the other form, a date, is left out.
    retryAfterMs: Number(headers["retry-after"]) * 1_000 || undefined,
    topic,
    detail: detail || undefined,
  })
}

/** With the rest of the sentence that `answererOf` begins. */
function meaningOf(call: Call, status: number): [PaymentServiceErrorKind, string] {
  const { isSigned, linkHost } = call
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
    return ["unauthorized", `refused the merchant id or ${isSigned ? "the signature" : "secret"}`]
  }
  if (status === 404) return ["not_found", "does not know what was asked for"]
  return ["invalid", "did not accept the request"]
}

/** Whether a reply says that nothing was done: any 4xx but 408; for a payout no 409 or 429, which may follow one that went through. */
function isWithoutEffect({ effect }: Call, status: number): boolean {
  if (effect === "payout") return PAYOUT_REFUSALS.has(status)
  return status >= 400 && status < 500 && status !== 408
}

/** Reads the beginning of a refusal's text for the merchant ("" when it must not be shown), and its topic. */
async function readRefusal(call: Call, status: number, body: Readable) {
  const ifUnread: RefusalTopic | undefined = call.effect === "payout" ? "unread" : undefined
  // A creation's error is told to an admin in the service's words, because customers cannot pay meanwhile.
  const isOfCreation = call.effect === "creation" && status >= 500
  const isQuoted = (status === 400 || status === 422 || isOfCreation) && !call.isUnquotable
  if (!isQuoted && !(call.isSigned && PAYOUT_REFUSALS.has(status))) return { detail: "" }
  const text = await readText(body, QUOTABLE_REPLY_BYTES).catch(() => null)
  if (text === null) return { detail: "", topic: ifUnread }
  const said = call.isSigned ? topicOf(unescaped(text)) : undefined
  const isPage = text.trimStart().startsWith("<")
  // A page comes from something in between, which may repeat a request; its other words say nothing about a payout.
  const topic = isPage && said !== "key" ? undefined : said
  return { detail: isQuoted && !isPage ? quoteOf(call, text) : "", topic }
}

/** The beginning of a reply's text, without secrets and without what the request tells of the payer. */
export function quoteOf(call: Call, text: string): string {
  let shown = unescaped(text)
  for (const value of call.confidential ?? []) {
    const written = JSON.stringify(value).slice(1, -1)
    if (value) shown = shown.replaceAll(value, "***").replaceAll(written, "***")
  }
  // A payout's refusal may name a card in a form that the redactor does not know.
  if (call.effect === "payout") shown = shown.replace(LONG_DIGITS, "***")
  return redact(shown).replace(/\s+/g, " ").trim().slice(0, QUOTED_REPLY_CHARACTERS)
}

export async function readText(body: Readable, maxBytes: number): Promise<string | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length
    if (bytes > maxBytes) return null
    chunks.push(chunk)
  }
  // A byte order mark at the beginning is no part of a text, and `toString` would keep it.
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** JSON text without `\u` escapes, so that confidential values are recognised in it; other text as it is. */
function unescaped(text: string): string {
  const value = jsonIn(text)
  return value === undefined ? text : JSON.stringify(value)
}

export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const DONE = "(?:used|exists?|process|sent|created|made|submitted|completed|paid)"
const DONE_RU = "(?:использ|обраб|существ|созда|отправл|выполн|проведен)"

/** Errors have no specified form. The key comes first: an earlier request may then have gone through, whatever else the text says. */
const WORDS: [RefusalTopic, RegExp][] = [
  [
    "key",
    new RegExp(
      `idempot|duplicat|re-?used|already (?:been |was )?${DONE}|${DONE} already` +
        `|идемпотент|дубл|повторн|уже (?:был[аио]? )?${DONE_RU}`,
      "i"
    ),
  ],
  ["balance", /balance|insufficient|not enough|funds|баланс|недостаточно|средств/i],
  ["feature", /not enabled|feature|turned off|не подключ|отключен|не включен/i],
  ["amount", /amount|сумм/i],
  ["card", /card|карт/i],
]

export function topicOf(refusal: string): RefusalTopic | undefined {
  // An error may repeat the endpoint's address, whose word "card" says nothing about the reason.
  const said = refusal.replaceAll("payouts/card-rub", "")
  return WORDS.find(([, words]) => words.test(said))?.[0]
}
