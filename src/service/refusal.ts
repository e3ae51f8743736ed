import type { Readable } from "node:stream"
import type { AxiosResponse } from "axios"
import type { Call } from "./call"
import {
  answererOf,
  PaymentServiceError,
  type PaymentServiceErrorKind,
  type RefusalTopic,
} from "./errors"
import { redact } from "./redact"

const QUOTABLE_REPLY_BYTES = 16 * 1024
const QUOTED_REPLY_CHARACTERS = 200
/** Twelve or more digits, in any grouping. */
const LONG_DIGITS = /\d(?:[ -]?\d){11,}/g

/** Statuses that refuse a payout's first request. After any other status, money may have gone. */
export const PAYOUT_REFUSALS = new Set([400, 401, 403, 404, 422])

/** The specification shows only 200 as the answer to a payout, so no other status proves one. */
export function isAccepted({ effect }: Call, status: number): boolean {
  return effect === "payout" ? status === 200 : status >= 200 && status < 300
}

/** The error for a reply that is not accepted; `now` is the wall clock in milliseconds. */
export async function refusalOf(
  call: Call,
  { status, headers, data }: AxiosResponse<Readable>,
  now: number
): Promise<PaymentServiceError> {
  const { detail, topic } = await readRefusal(call, status, data)
  const [kind, meaning] = meaningOf(call, status)
  const message = `${answererOf(call)} ${meaning} (${status})${detail && `: ${detail}`}`
  return new PaymentServiceError(kind, message, {
    // A refusal because of a used key shows that an earlier request has arrived, and one that was not read may be such a one.
    mayHaveTakenEffect:
      call.effect !== "read" &&
      (topic === "key" || topic === "unread" || !isWithoutEffect(call, status)),
    httpStatus: status,
    retryAfterMs: retryAfterMs(String(headers["retry-after"]), now),
    topic,
    detail: detail || undefined,
  })
}

/** The kind of a refusal, and the words that complete the sentence which `answererOf` begins. */
function meaningOf(
  { isSigned, linkHost }: Call,
  status: number
): [PaymentServiceErrorKind, string] {
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

/**
 * Whether a reply says that nothing was done. A 4xx does, except 408 (the service stopped waiting). For a payout, only a refusal of the
 * request itself does: a 409 or 429 may follow a request that went through before.
 */
function isWithoutEffect({ effect }: Call, status: number): boolean {
  if (effect === "payout") return PAYOUT_REFUSALS.has(status)
  return status >= 400 && status < 500 && status !== 408
}

/** Reads the beginning of a refusal's text for the merchant ("" when it must not be shown), and its topic. */
async function readRefusal(
  call: Call,
  status: number,
  body: Readable
): Promise<{ detail: string; topic?: RefusalTopic }> {
  const isPayout = call.effect === "payout"
  // A creation's error is told to an admin in the service's words, because customers cannot pay meanwhile.
  const isOfCreation = call.effect === "creation" && status >= 500
  const isQuoted = (status === 400 || status === 422 || isOfCreation) && !call.isUnquotable
  if (!isQuoted && !(call.isSigned && PAYOUT_REFUSALS.has(status))) return { detail: "" }
  const text = await readText(body, QUOTABLE_REPLY_BYTES).catch(() => null)
  if (text === null) return { detail: "", topic: isPayout ? "unread" : undefined }
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

/** The text of a body, or null when it is longer than `maxBytes`; the rest is then not read. */
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

/** The value that JSON text means; undefined for other text. */
export function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Parts of words that say that a key, a request or a payout exists already. */
const DONE = "(?:used|exists?|process|sent|created|made|submitted|completed|paid)"
const DONE_RU = "(?:использ|обраб|существ|созда|отправл|выполн|проведен)"

/**
 * The form of errors is not specified, so their text is searched for words of both languages. Words about the key come first,
 * because an earlier request may then have gone through, whatever else the text says.
 */
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

/** Returns the topic of a payout's refusal, or undefined when its words show none. */
export function topicOf(refusal: string): RefusalTopic | undefined {
  // An error may repeat the endpoint's address, whose word "card" says nothing about the reason.
  const said = refusal.replaceAll("payouts/card-rub", "")
  return WORDS.find(([, words]) => words.test(said))?.[0]
}

/** `Retry-After` in seconds or as HTTP date, in milliseconds from `now`. */
function retryAfterMs(text: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}
