import type { Call } from "./call"
import { redact } from "./redact"

/** The kinds of failures, by what a caller can do about them. */
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

/** The topic of the service's text when it refuses a payout; `unread` when the text is too long or broke off. */
export type RefusalTopic = "key" | "balance" | "amount" | "card" | "feature" | "unread"

/**
 * The only error that this directory throws. The message is a sentence for the merchant and is redacted. There is no
 * `cause`: axios' errors carry the request's headers, and with them the secret, into every log that prints them.
 */
export class PaymentServiceError extends Error {
  override readonly name = "PaymentServiceError"
  /** False only when the request changes nothing, or provably was not carried out. */
  readonly mayHaveTakenEffect: boolean = false
  /** Status of the service's refusal. */
  readonly httpStatus?: number
  /** Milliseconds to wait as the service asked in `Retry-After`. */
  readonly retryAfterMs?: number
  /** For a refused payout: the topic of the service's text, as far as it is recognised. */
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

/** An answer of the service; null when it does not know what was asked for. */
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

/** The error for a reply that is not as specified. `detail` is the reply's own text, if it may be quoted. */
export function malformed(call: Call, problem: string, detail?: string): PaymentServiceError {
  const reply = `The Payment Service's reply to ${call.method} ${shownPath(call)}`
  return failed(call, "malformed", `${reply} ${problem}`, { detail })
}

/**
 * The error for a connection that could not be made, or broke. Not a byte was sent when name resolution or connecting failed at
 * every address. The system call decides that, because an established connection can also end in ETIMEDOUT or EHOSTUNREACH.
 */
export function connectionFailure(call: Call, error: unknown): PaymentServiceError {
  // Axios wraps what Node reports, and Node reports all addresses that it tried together.
  const { code, cause = error } = error as { code?: string; cause?: unknown }
  const { errors = [cause] } = cause as { errors?: unknown[] }
  const isUnsent =
    errors.length > 0 &&
    errors.every((one) => {
      const { syscall } = one as NodeJS.ErrnoException
      return syscall === "connect" || syscall === "getaddrinfo"
    })
  const what = isUnsent ? "could not be reached" : "broke the connection off"
  const message = `${answererOf(call)} ${what}${code ? ` (${code})` : ""}`
  return failed(call, "unavailable", message, isUnsent ? { mayHaveTakenEffect: false } : {})
}

/** Names the other side, as the subject of a sentence. */
export function answererOf({ linkHost }: Call): string {
  return linkHost === undefined
    ? "The Payment Service"
    : `The host ${linkHost}, to which the Payment Service's export leads,`
}

/** The path without its query. That of an export's file is not shown, because its secrecy may be the file's only protection. */
export function shownPath({ linkHost, url }: Call): string {
  return linkHost === undefined ? new URL(url).pathname : "(export file)"
}
