import type { Readable } from "node:stream"
import type { Call } from "./call"
import { answererOf } from "./call-failures"
import { PaymentServiceError, type PaymentServiceErrorKind, type RefusalTopic } from "./errors"
import { redact } from "./redact"
import { topicOf } from "./refusal-topic"
import { isWithoutEffect, meaningOf, PAYOUT_REFUSALS } from "./status-meaning"
import { readText } from "./utf8"

const CLOCK_TOLERANCE_MS = 300_000
const QUOTABLE_REPLY_BYTES = 16 * 1024
const QUOTED_REPLY_CHARACTERS = 200
/** Twelve or more digits, in any grouping. */
const LONG_DIGITS = /\d(?:[ -]?\d){11,}/g

/** A reply that is not 2xx, with the texts of its headers; "" for a missing one. */
interface RefusingReply {
  status: number
  date: string
  retryAfter: string
  body: Readable
}

/**
 * The error for a reply that is not 2xx.
 *
 * @param clock the wall clock in milliseconds
 */
export async function refusalOf(
  call: Call,
  { status, date, retryAfter, body }: RefusingReply,
  clock: () => number
): Promise<PaymentServiceError> {
  const { detail, topic } = await readRefusal(call, status, body)
  const now = clock()
  const [kind, meaning] = meaningOf(status, call)
  const message = `${answererOf(call)} ${meaning} (${status})${detail && `: ${detail}`}`
  return new PaymentServiceError(kind, message + clockRemark(call, kind, now - Date.parse(date)), {
    // A refusal because of a used key shows that an earlier request has arrived, and one that was not read may be such a one.
    mayHaveTakenEffect:
      call.effect !== "read" &&
      (topic === "key" || topic === "unread" || !isWithoutEffect(call, status)),
    httpStatus: status,
    retryAfterMs: retryAfterMs(retryAfter, now),
    topic,
    detail: detail || undefined,
  })
}

/**
 * Explains a wrong clock, which is the usual cause of a refused signature and shows in no other way. The specification does not
 * show the status of such a refusal, so a 400 gets the remark, too.
 *
 * @param offMs milliseconds that this server's clock is ahead of the service's
 */
function clockRemark(call: Call, kind: PaymentServiceErrorKind, offMs: number): string {
  if (call.scheme !== "signed" || (kind !== "unauthorized" && kind !== "invalid")) return ""
  if (!(Math.abs(offMs) > CLOCK_TOLERANCE_MS)) return ""
  const off = `${Math.round(Math.abs(offMs) / 1000)} s ${offMs > 0 ? "ahead of" : "behind"}`
  return `. This server's clock is ${off} the Payment Service's, which accepts 300 s: set the clock`
}

/** Facts from the text of a refusal. */
interface SaidRefusal {
  detail: string
  topic?: RefusalTopic
}

/** Reads the beginning of a refusal's text for the merchant ("" when it must not be shown), and its topic. */
async function readRefusal(call: Call, status: number, body: Readable): Promise<SaidRefusal> {
  const isPayout = call.effect === "payout"
  const isSigned = call.scheme === "signed"
  const isQuoted = (status === 400 || status === 422) && !call.unquotable
  if (!isQuoted && !(isSigned && PAYOUT_REFUSALS.has(status))) return { detail: "" }
  const text = await readText(body, QUOTABLE_REPLY_BYTES).catch(() => null)
  if (text === null) return { detail: "", topic: isPayout ? "unread" : undefined }
  let shown = unescaped(text)
  const said = isSigned ? topicOf(shown) : undefined
  const isPage = text.trimStart().startsWith("<")
  // A page comes from something in between, which may repeat a request; its other words say nothing about a payout.
  const topic = isPage && said !== "key" ? undefined : said
  if (!isQuoted || isPage) return { detail: "", topic }
  for (const value of call.confidential ?? []) {
    const written = JSON.stringify(value).slice(1, -1)
    if (value) shown = shown.replaceAll(value, "***").replaceAll(written, "***")
  }
  // A payout's refusal may name a card in a form that the redactor does not know.
  if (isPayout) shown = shown.replace(LONG_DIGITS, "***")
  const detail = redact(shown).replace(/\s+/g, " ").trim().slice(0, QUOTED_REPLY_CHARACTERS)
  return { detail, topic }
}

/** `Retry-After` in seconds or as HTTP date, in milliseconds from `now`. */
function retryAfterMs(text: string, now: number): number | undefined {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, at - now)
}

/** JSON text without `\u` escapes, so that confidential values are recognised in it; other text as it is. */
function unescaped(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text))
  } catch {
    return text
  }
}
