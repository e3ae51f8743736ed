import type { ProblemAction } from "./problems/entry"
import type { Reason } from "./problems/reasons"
import type { TransactionException, TransactionState } from "./transaction-state"

/** The facts of each kind of entry in a transaction's journal. Amounts are decimal text. */
export interface JournalFacts {
  /** Our row was written, before the service was asked. */
  opened: { amount: string; currency: string; session_id: string }
  /** The row's state changed because of the service's answer (`status`). */
  state: {
    from: TransactionState
    to: TransactionState
    status: string | null
    amount: string | null
    currency: string | null
    late: boolean
  }
  /** The service gives another status name with the same meaning. */
  status: { from: string | null; to: string }
  /** An exception began (`to`), or ended (null). */
  exception: { from: TransactionException | null; to: TransactionException | null }
  /** Medusa could not be made to follow: the number of attempts so far, and the reasons. */
  attempt_failed: { attempts: number; reasons: Reason[] | null }
  /** Medusa holds the payment. */
  settled: { order_id: string | null }
  /** The money is settled automatically no longer, or again. */
  handled: { handled: boolean }
  /** The transaction belongs to another session than before: it was resumed or accepted. */
  session: { from: string; to: string }
  /** The sum that counts instead of the one that was asked for. */
  accepted: { amount: string }
  /** Core was told that it may place the order before the money comes. */
  deferred: Record<string, never>
  /** The service named it in a callback. */
  callback: Record<string, never>
  /** An admin had the service asked. */
  checked: Record<string, never>
  /** An admin entered the service's id, which the reply to the creation had not brought. */
  identified: Record<string, never>
  /** An admin acted on a problem of this kind. */
  acted: { action: ProblemAction; problem: string }
}
