/**
 * The state of a transaction in our own row.
 *
 * - `creating`: the row is written, and the service has not replied yet
 * - `refused`: the service did not make the transaction
 * - `unknown`: no reply to the creation; the service may have made it, but its id never reached us
 * - the last reads proved the other states
 */
export const TRANSACTION_STATES = [
  "creating",
  "refused",
  "unknown",
  "pending",
  "paid",
  "canceled",
  "expired",
] as const
export type TransactionState = (typeof TRANSACTION_STATES)[number]

/** Exceptions in the transaction as the service describes it. */
const FOUND_IN_READ = [
  "amount_less",
  "amount_more",
  "currency_differs",
  "merchant_differs",
  "reference_differs",
  "unknown_status",
  "reversed",
  "changed_since_handled",
] as const

/** Exceptions in Medusa's state; only an attempt to act finds them. */
const FOUND_IN_MEDUSA = [
  "session_gone",
  "session_differs",
  "cart_changed",
  "order_canceled",
  "payment_canceled",
  "paid_twice",
  "completion_failed",
] as const

/**
 * How a transaction is out of order: a second axis beside its state. All but `unknown_status` are about money that was, or may
 * have been, paid.
 */
export const TRANSACTION_EXCEPTIONS = [...FOUND_IN_READ, ...FOUND_IN_MEDUSA] as const
export type TransactionException = (typeof TRANSACTION_EXCEPTIONS)[number]

/** Whether an exception lies in Medusa's state, and not in the money itself. */
export function isFoundInMedusa(exception: TransactionException | null): boolean {
  return FOUND_IN_MEDUSA.some((found) => found === exception)
}

/** Whether the transaction ended without money, as far as is known. */
export function isClosed(state: TransactionState): boolean {
  return state === "canceled" || state === "expired"
}

const MEANINGS = ["paid", "pending", "canceled", "expired", "reversed"] as const

/**
 * The service's status names, by their meaning. The specification shows only `PENDING` and `CANCELED`, so every other name is the
 * merchant's configuration.
 */
export type StatusNames = Record<(typeof MEANINGS)[number], readonly string[]>

export type StatusMeaning = keyof StatusNames | "unknown"

/** The meaning of a status that was read at the service; `unknown` when no configured list names it. */
export function meaningOf(status: string, names: StatusNames): StatusMeaning {
  return MEANINGS.find((meaning) => names[meaning].includes(status)) ?? "unknown"
}
