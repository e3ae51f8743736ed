/**
 * Where a transaction stands, from our own row's point of view.
 *
 * - `creating`: the row is written, the service's reply is not there yet
 * - `refused`: the service did not make the transaction
 * - `unknown`: no reply to the creation; the service may have made it, but its id never reached us
 * - the others are what the last reads proved
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

/** Exceptions that lie in the transaction as the service describes it. */
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

/** Exceptions that lie in Medusa's state; only an attempt to act finds them. */
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
 * The way in which a transaction is out of order: a second axis beside its state. Everything but
 * `unknown_status` is about money that was, or may have been, paid.
 */
export const TRANSACTION_EXCEPTIONS = [...FOUND_IN_READ, ...FOUND_IN_MEDUSA] as const
export type TransactionException = (typeof TRANSACTION_EXCEPTIONS)[number]

/** The state of the money when a person took care of a transaction: that its money came, or that it was taken back. */
export const HANDLED_AS = ["paid", "reversed"] as const
export type HandledAs = (typeof HANDLED_AS)[number]

/** Whether an exception is about what Medusa did with the money, and not about the money itself. */
export function isFoundInMedusa(exception: TransactionException | null): boolean {
  return FOUND_IN_MEDUSA.some((found) => found === exception)
}

/** Did a read prove this payment in full, whatever Medusa made of it since? */
export function isProven(row: {
  state: TransactionState
  exception: TransactionException | null
}): boolean {
  return row.state === "paid" && (row.exception === null || isFoundInMedusa(row.exception))
}

/** Whether the transaction ended without money, as far as is known. */
export function isClosed(state: TransactionState): boolean {
  return state === "canceled" || state === "expired"
}
