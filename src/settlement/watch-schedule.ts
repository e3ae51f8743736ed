import { EXPIRY_GRACE_MS, type TransactionState } from "./decide"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pauses while a payment is young; after them it is looked at every minute until its time is over. */
const YOUNG = [5, 10, 20, 40].map((seconds) => seconds * SECOND)
/** A payment can still arrive after its time: looked at once when it counts as expired, and these later. */
const AFTERWARDS = [EXPIRY_GRACE_MS + 5 * SECOND, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR]
/** For a transaction to which the service gave no time to pay. */
const USUAL_TIME_TO_PAY = HOUR

export interface WatchedTransaction {
  state: TransactionState
  created_at: Date
  /** When a callback last named it: it is young again then. */
  hinted_at: Date | null
  expires_at: Date | null
  settled_at: Date | null
  /** Earliest moment to try again what Medusa refused. */
  apply_after: Date | null
}

/**
 * When a transaction is to be settled next with no callback at all.
 *
 * @returns null when it is final: nobody looks at it any more
 */
export function nextWatchAt(transaction: WatchedTransaction, now: Date): Date | null {
  const created = transaction.created_at.getTime()
  const expires = transaction.expires_at?.getTime() ?? created + USUAL_TIME_TO_PAY
  const from = now.getTime()
  if (transaction.settled_at || from >= expires + Math.max(...AFTERWARDS)) {
    return null
  }
  if (transaction.state === "paid") {
    // Money is there and Medusa has not followed: as soon as it may be tried again.
    return new Date(Math.max(transaction.apply_after?.getTime() ?? 0, from + 5 * SECOND))
  }
  const young = [created, transaction.hinted_at?.getTime() ?? created].flatMap((start) =>
    YOUNG.map(
      (_, index) => start + YOUNG.slice(0, index + 1).reduce((sum, pause) => sum + pause, 0)
    )
  )
  const planned = [
    ...young,
    ...(from + MINUTE < expires ? [from + MINUTE] : []),
    ...AFTERWARDS.map((pause) => expires + pause),
  ].filter((moment) => moment > from)
  return planned.length ? new Date(Math.min(...planned)) : null
}
