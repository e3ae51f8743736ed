import type { Reason } from "../../problems/rules/reasons"
import { METHODS, type Sum } from "../../texts"

/** The sum that a person accepted, and the cart's total that they saw; decimal text. */
export interface Accepted {
  amount: string
  cart_total: string | null
}

/** The money as a person saw it when they took care of it, paid or taken back, and the time of that (ISO 8601). */
export interface Handled {
  at: string
  as: "paid" | "reversed"
  amount: string | null
  currency: string | null
}

/** The service's words on a payment beside its sum; decimal text. They are shown, and decide nothing. */
export interface Figures {
  /** Rubles (or the session's currency) for one USDT. */
  usdt_rate?: string
  amount_usdt?: string
  commission?: string
  commission_usdt?: string
}

/** Medusa's provider of a transaction. Core makes its id of the provider's identifier and the entry's id. */
export const providerIdOf = ({ method, account }: { method: string; account: string }) =>
  account ? `pp_${method}_${account}` : `pp_${method}`

/** The method and the account in a provider's id; null when the provider is not ours. */
export function partsOfProvider(providerId: unknown): { method: string; account: string } | null {
  if (typeof providerId !== "string") return null
  for (const method of METHODS) {
    const prefix = `pp_${method}`
    if (providerId === prefix) return { method, account: "" }
    if (providerId.startsWith(`${prefix}_`)) {
      return { method, account: providerId.slice(prefix.length + 1) }
    }
  }
  return null
}

/**
 * The columns of a transaction's row on which decisions depend. Amounts are decimal text.
 * `docs/architecture.md` lists the writer of each column.
 */
export interface Transaction {
  /** Our reference, sent to the service as `payload`. */
  id: string
  /** As the service wrote it, which may be in upper case; null until it is known. */
  transaction_id: string | null
  session_id: string
  merchant_id: string
  /** The cart or order it was opened for; both null for a collection without either (payment link). */
  cart_id: string | null
  order_id: string | null
  /** As sent to the service, rounded to kopecks. */
  amount: string
  currency: string
  opened_at: Date
  expires_at: Date | null
  state: TransactionState
  /** The exception, when it last changed (began, or ended), and why. */
  exception: TransactionException | null
  exception_at: Date | null
  exception_reasons: Reason[] | null
  /** The status that the last `GET /transaction/{id}` answered. */
  status: string | null
  /** The sum of the last read; once paid, of the last read that said paid. */
  read_amount: string | null
  read_currency: string | null
  /** The moment at which the last answer was asked for. */
  read_at: Date | null
  /** The end of the last settle, or of the claim of the running one. */
  claimed_until: Date | null
  /** When a read first showed it paid, and whether that was after its time. */
  paid_at: Date | null
  paid_late: boolean
  /** The sum that a person accepted instead of `amount`, and the cart's total that they saw. */
  accepted: Accepted | null
  /** The moment at which a person took care of the money; nothing is done with it automatically after that. */
  handled_at: Date | null
  /** The money as a person saw it when they last took care of it, also if Medusa holds it. */
  handled: Handled | null
  /** The moment at which core was told that the order may be placed before this payment. */
  deferred_at: Date | null
  /** The moment at which Medusa took the payment. */
  settled_at: Date | null
  /** The time of the last hint, from a callback or elsewhere; after it the row is watched as often as a new one. */
  hinted_at: Date | null
  /** The time of the watcher's next look; null when it does not look any more. */
  watch_at: Date | null
  /** The number of Medusa's refusals to follow, and the earliest moment of the next attempt. */
  apply_attempts: number
  apply_after: Date | null
}

/** The sum read from the service, else the sum asked for. `PAID_SUM` is the same in SQL. */
export function paidSum(
  row: Pick<Transaction, "amount" | "currency" | "read_amount" | "read_currency">
): Sum {
  return { amount: row.read_amount ?? row.amount, currency: row.read_currency ?? row.currency }
}

/** A transaction that is still pending counts as expired only this long after its time to pay. */
export const EXPIRY_GRACE_MS = 2 * 60 * 1000

/** Used when the service gave no time to pay. */
const USUAL_TIME_TO_PAY_MS = 60 * 60 * 1000

type Timed = Pick<Transaction, "opened_at" | "expires_at">

/** The end of the time to pay; of the usual time if the service gave none. */
export function endOfTimeToPay(row: Timed): Date {
  return row.expires_at ?? new Date(row.opened_at.getTime() + USUAL_TIME_TO_PAY_MS)
}

/** Answers are seconds apart, so ends that differ by less are the same. */
const SAME_END_MS = 10_000
/** A service may always say the same time left: no attempt is open for longer than this. */
const LONGEST_TIME_TO_PAY_MS = 7 * 24 * 60 * 60_000

/**
 * The end of the time to pay after an answer that calls the transaction payable: each answer may move it, because the payer may pay
 * as long as the service says so. An answer without a time that is left moves nothing.
 */
export function endAfter(
  { opened_at, expires_at }: Timed,
  { askedAt, secondsLeft }: { askedAt: Date; secondsLeft: number | null }
): Date | null {
  if (!secondsLeft) return expires_at
  const latest = opened_at.getTime() + LONGEST_TIME_TO_PAY_MS
  const end = Math.min(askedAt.getTime() + secondsLeft * 1_000, latest)
  return Math.abs(end - Number(expires_at)) < SAME_END_MS ? expires_at : new Date(end)
}

/** Whether the time to pay has been over for so long that a pending transaction counts as expired. */
export function isTimeOver(row: Timed, now: Date): boolean {
  return now.getTime() >= endOfTimeToPay(row).getTime() + EXPIRY_GRACE_MS
}

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
