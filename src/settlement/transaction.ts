import type { Reason } from "./problems/reasons"
import type { Sum } from "../texts"
import type { TransactionException, TransactionState } from "./transaction-state"

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

/**
 * The columns of a transaction's row on which decisions depend. Amounts are decimal text.
 * CONTRIBUTING lists the writer of each column.
 */
export interface Transaction {
  /** Our reference, sent to the service as `payload`. */
  id: string
  /** Null until the service's id is known; the key is the same in lower case. */
  transaction_id: string | null
  transaction_key: string | null
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
