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

interface PaymentServiceErrorDetails {
  mayHaveTakenEffect?: boolean
  httpStatus?: number
  retryAfterMs?: number
  field?: string
  topic?: RefusalTopic
  detail?: string
  unreadable?: number
}

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
  /** Status of the service's reply; absent when there was none. */
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
    details: PaymentServiceErrorDetails = {}
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
