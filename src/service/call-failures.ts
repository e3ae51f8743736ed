import type { Call } from "./call"
import { PaymentServiceError } from "./errors"

/** Names the other side, as the subject of a sentence. */
export function answererOf({ linkHost }: Pick<Call, "linkHost">): string {
  return linkHost === undefined
    ? "The Payment Service"
    : `The host ${linkHost}, to which the Payment Service's export leads,`
}

/** The error for a reply that is not as specified. `problem` completes "The Payment Service's reply to … ". */
export function malformed(
  call: Call,
  problem: string,
  field?: string,
  unreadable?: number
): PaymentServiceError {
  return new PaymentServiceError(
    "malformed",
    `The Payment Service's reply to ${call.method} ${call.logPath} ${problem}`,
    { mayHaveTakenEffect: call.effect !== "read", field, unreadable }
  )
}

/** The error for an export whose file is at a host that the options do not allow. */
export function linkRefused(call: Call, host: string): PaymentServiceError {
  return new PaymentServiceError(
    "link_refused",
    `The Payment Service's reply to ${call.method} ${call.logPath} has a link to ${host}, which is neither its own host nor in ` +
      "the option export.linkHosts",
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
  const code = codeOf(error)
  const unsent = neverConnected(error)
  const what = unsent ? "could not be reached" : "broke the connection off"
  const message = `${answererOf(call)} ${what}${code && ` (${code})`}`
  return new PaymentServiceError("unavailable", message, {
    mayHaveTakenEffect: call.effect !== "read" && !unsent,
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

function codeOf(error: unknown): string {
  const { code } = partsOf(error)
  return typeof code === "string" ? code : ""
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
