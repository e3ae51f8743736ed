import type { ProblemAction } from "./problems/entry"
import type { Reason } from "./problems/reasons"
import type { Transaction } from "./transaction"
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
  /** A person took care of the money, or that does not count any more. */
  handled: { handled: boolean }
  /** The transaction belongs to another session than before: it was resumed or accepted. */
  session: { from: string; to: string }
  /** A person accepted this sum instead of the one that was asked for. */
  accepted: { amount: string }
  /** Core was told that it may place the order before the money comes. */
  deferred: Record<string, never>
  /** The service named it in a callback. */
  callback: Record<string, never>
  /** An admin had the service asked. */
  checked: Record<string, never>
  /** An admin entered the service's id, which the reply to the creation had not brought. */
  identified: Record<string, never>
  /**
   * An admin acted on a problem of this kind. `accepted` is the sum that was accepted by that, and `handled` says that the money
   * was taken care of.
   */
  acted: { action: ProblemAction; problem: string; accepted?: string; handled?: true }
}
type JournalKind = keyof JournalFacts

export type JournalEntry = {
  [Kind in JournalKind]: { at: Date; kind: Kind; facts: JournalFacts[Kind]; by: string | null }
}[JournalKind]

/**
 * The journal of a transaction, oldest first. Kinds that it lacks are made from the row's timestamps, because a row may be older
 * than the journal.
 */
export function wholeJournal(row: Transaction, written: JournalEntry[]): JournalEntry[] {
  const isWritten = (kind: JournalKind) => written.some((entry) => entry.kind === kind)
  const fromColumns = entriesFromColumns(row).filter(({ kind }) => !isWritten(kind))
  return [...fromColumns, ...withoutEchoes(written)].sort(
    (one, other) => one.at.getTime() - other.at.getTime()
  )
}

/** The entries without those of the trigger that only repeat what an admin's next entry says, without the admin. */
function withoutEchoes(written: JournalEntry[]): JournalEntry[] {
  const kept: JournalEntry[] = []
  for (const entry of written) {
    if (entry.kind === "acted") {
      const { handled, accepted } = entry.facts
      const echo = handled ? "handled" : accepted ? "accepted" : null
      const index = kept.findLastIndex(({ kind }) => kind === echo)
      if (index >= 0) kept.splice(index, 1)
    }
    kept.push(entry)
  }
  return kept
}

function entriesFromColumns(row: Transaction): JournalEntry[] {
  const entries: (JournalEntry | null)[] = [
    {
      at: row.opened_at,
      kind: "opened",
      facts: { amount: row.amount, currency: row.currency, session_id: row.session_id },
      by: null,
    },
    row.deferred_at && { at: row.deferred_at, kind: "deferred", facts: {}, by: null },
    row.paid_at && {
      at: row.paid_at,
      kind: "state",
      facts: {
        from: "pending",
        to: "paid",
        status: row.status,
        amount: row.read_amount,
        currency: row.read_currency,
        late: row.paid_late,
      },
      by: null,
    },
    row.exception && row.exception_at
      ? {
          at: row.exception_at,
          kind: "exception",
          facts: { from: null, to: row.exception },
          by: null,
        }
      : null,
    row.settled_at && {
      at: row.settled_at,
      kind: "settled",
      facts: { order_id: row.order_id },
      by: null,
    },
    row.handled_at && { at: row.handled_at, kind: "handled", facts: { handled: true }, by: null },
  ]
  return entries.filter((entry) => entry !== null)
}
