import type { Call } from "./call"
import { redact } from "./redact"

/**
 * The kinds of failures, by what a caller can do about them:
 *
 * - `invalid`: the request cannot be accepted as it is: refused before sending, or by a 4xx reply
 * - `unauthorized`: merchant id, secret or signature was refused (401, 403)
 * - `not_found`: 404
 * - `link_refused`: the link of an export leads to a host that the option `export.linkHosts` does not name
 * - `file_refused`: the host to which the link of an export leads refused the file (4xx)
 * - `rate_limited`: 429
 * - `unavailable`: no connection, a broken connection, or a 5xx reply
 * - `timeout`: the call's budget ran out, its caller gave it up, or a 408 reply
 * - `malformed`: a reply that is not what the specification says, redirects included
 */
export type PaymentServiceErrorKind =
  | "invalid"
  | "unauthorized"
  | "not_found"
  | "link_refused"
  | "file_refused"
  | "rate_limited"
  | "unavailable"
  | "timeout"
  | "malformed"

/** The topic of the service's text when it refuses a payout; `unread` when the text is too long or broke off. */
export type RefusalTopic = "key" | "balance" | "amount" | "card" | "feature" | "unread"

/**
 * The only error that this directory throws. The message is a sentence for the merchant and is redacted. There is no
 * `cause`: axios' errors carry the request's headers, and with them the secret, into every log that prints them.
 */
export class PaymentServiceError extends Error {
  override readonly name = "PaymentServiceError"
  readonly kind: PaymentServiceErrorKind
  /** False only when the request changes nothing, or provably was not carried out. */
  readonly mayHaveTakenEffect: boolean
  /** Status of the service's refusal. */
  readonly httpStatus?: number
  /** Milliseconds to wait as the service asked in `Retry-After`. */
  readonly retryAfterMs?: number
  /** The field at fault, by its wire name with dots, for `malformed` and `invalid`. */
  readonly field?: string
  /** For a refused payout: the topic of the service's text, as far as it is recognised. */
  readonly topic?: RefusalTopic
  /** The service's own words, redacted, when they may be quoted. */
  readonly detail?: string
  /** For a list that came as a whole: the number of its records that could not be read. */
  readonly unreadable?: number

  constructor(
    kind: PaymentServiceErrorKind,
    message: string,
    details: Partial<Omit<PaymentServiceError, keyof Error | "kind">> = {}
  ) {
    super(redact(message))
    this.kind = kind
    this.mayHaveTakenEffect = details.mayHaveTakenEffect ?? false
    this.httpStatus = details.httpStatus
    this.retryAfterMs = details.retryAfterMs
    this.field = details.field
    this.topic = details.topic
    this.detail = details.detail && redact(details.detail)
    this.unreadable = details.unreadable
  }
}

/** An answer of the service; null when it does not know what was asked for. */
export async function nullIfNotFound<Answer>(asking: Promise<Answer>): Promise<Answer | null> {
  return await asking.catch((error: unknown) => {
    if (error instanceof PaymentServiceError && error.kind === "not_found") return null
    throw error
  })
}

/** The error of a request that is refused here, before anything is sent. `field` is the argument's name. */
export function invalidRequest(message: string, field?: string): PaymentServiceError {
  return new PaymentServiceError("invalid", message, { field })
}

/** The error for a reply that is not as specified. `problem` completes "The Payment Service's reply to … ". */
export function malformed(
  call: Call,
  problem: string,
  field?: string,
  unreadable?: number
): PaymentServiceError {
  const message = `The Payment Service's reply to ${call.method} ${shownPath(call)} ${problem}`
  return new PaymentServiceError("malformed", message, {
    mayHaveTakenEffect: call.effect !== "read",
    field,
    unreadable,
  })
}

/** The error for an export whose file is at a host that the options do not allow. */
export function linkRefused(call: Call, host: string): PaymentServiceError {
  return new PaymentServiceError(
    "link_refused",
    `The Payment Service's reply to ${call.method} ${shownPath(call)} has a link to ${host}, which is neither its own host nor ` +
      "in the option export.linkHosts",
    { detail: host }
  )
}

/** The error for a call whose budget ran out. */
export function timedOut(call: Call): PaymentServiceError {
  return new PaymentServiceError("timeout", `${answererOf(call)} did not answer in time`, {
    mayHaveTakenEffect: call.effect !== "read",
  })
}

/** The error for a call that its caller gave up. */
export function givenUp(call: Call): PaymentServiceError {
  return new PaymentServiceError("timeout", "The call to the Payment Service was given up", {
    mayHaveTakenEffect: call.effect !== "read",
  })
}

/** The error for a connection that could not be made, or broke. */
export function connectionFailure(call: Call, error: unknown): PaymentServiceError {
  const { code } = partsOf(error)
  const isUnsent = neverConnected(error)
  const what = isUnsent ? "could not be reached" : "broke the connection off"
  const message = `${answererOf(call)} ${what}${typeof code === "string" ? ` (${code})` : ""}`
  return new PaymentServiceError("unavailable", message, {
    mayHaveTakenEffect: call.effect !== "read" && !isUnsent,
  })
}

/**
 * Whether the error proves that not a byte was sent: name resolution or connecting failed. The system call decides, and not the
 * code alone, because an established connection can also end in ETIMEDOUT, EHOSTUNREACH or ECONNRESET.
 */
function neverConnected(error: unknown): boolean {
  const { cause, errors, syscall } = partsOf(error)
  // Node tries all addresses of a host and then reports them together; axios wraps what Node reports.
  if (cause !== undefined) return neverConnected(cause)
  if (Array.isArray(errors)) return errors.length > 0 && errors.every(neverConnected)
  return syscall === "connect" || syscall === "getaddrinfo"
}

/** Reads an error by its shape, because errors of Node and of axios have no class in common. */
function partsOf(error: unknown): {
  cause?: unknown
  errors?: unknown
  syscall?: unknown
  code?: unknown
} {
  return typeof error === "object" && error !== null ? error : {}
}

/** Names the other side, as the subject of a sentence. */
export function answererOf({ linkHost }: Call): string {
  return linkHost === undefined
    ? "The Payment Service"
    : `The host ${linkHost}, to which the Payment Service's export leads,`
}

/** The path without its query. That of an export's file is not shown, because its secrecy may be the file's only protection. */
export function shownPath({ linkHost, url }: Call): string {
  return linkHost === undefined ? url.pathname : "(export file)"
}
