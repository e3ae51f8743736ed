import { standingOf } from "./standing"
import { endOfTimeToPay, EXPIRY_GRACE_MS } from "./time-to-pay"
import type { TransactionException, TransactionState } from "./transaction-state"

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pauses while a payment is young; after them it is looked at every minute until its time is over. */
const YOUNG = [5, 10, 20, 40].map((seconds) => seconds * SECOND)
/** A payment can still arrive after its time: looked at once when it counts as expired, and these later. */
const AFTERWARDS = [EXPIRY_GRACE_MS + 5 * SECOND, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR]

const LONGEST_OUTAGE = 7 * 24 * HOUR
const LONGEST_WAIT_FOR_A_PERSON = 10 * MINUTE

export interface WatchedTransaction {
  state: TransactionState
  /** What is out of order, and since when; of something that was and is not any more, since when it is not. */
  exception: TransactionException | null
  exception_at: Date | null
  /** When its last answer was asked for. */
  read_at: Date | null
  /** First read that showed it paid. */
  paid_at: Date | null
  opened_at: Date
  /** When a callback last named it: it is young again then. */
  hinted_at: Date | null
  expires_at: Date | null
  settled_at: Date | null
  /** A person took care of it. */
  handled_at: Date | null
  /** Earliest moment to try again what Medusa refused. */
  apply_after: Date | null
}

/** The last look: a read after this moment counts as one. */
function endOfWatch(transaction: WatchedTransaction): number {
  const news = [transaction.paid_at, transaction.exception_at].map((at) => at?.getTime() ?? 0)
  return Math.max(endOfTimeToPay(transaction).getTime(), ...news) + Math.max(...AFTERWARDS)
}

/** Is a transaction looked at no more although the service never answered when it mattered? */
export function isGivenUpUnread(transaction: WatchedTransaction, now: Date): boolean {
  const end = endOfWatch(transaction)
  const isOver = transaction.settled_at !== null || transaction.handled_at !== null
  const isRead = (transaction.read_at?.getTime() ?? 0) >= end
  return !isOver && !isRead && now.getTime() >= end + LONGEST_OUTAGE
}

/**
 * When a transaction is to be settled next with no callback at all.
 *
 * @returns null when it is final: nobody looks at it any more
 */
export function nextWatchAt(transaction: WatchedTransaction, now: Date): Date | null {
  const opened = transaction.opened_at.getTime()
  const expires = endOfTimeToPay(transaction).getTime()
  const from = now.getTime()
  const end = endOfWatch(transaction)
  const standing = standingOf(transaction)
  if (standing === "taken_care_of" || standing === "settled") {
    return nextLookAtFinal(transaction, now)
  }
  if (from >= end) {
    // The last look counts when the service answered; if it was down, it is waited for.
    const isLookedAt = (transaction.read_at?.getTime() ?? 0) >= end
    return isLookedAt || from >= end + LONGEST_OUTAGE ? null : new Date(from + 10 * MINUTE)
  }
  if (transaction.state === "paid") {
    // Money is there and Medusa has not followed: as soon as it may be tried again, and less and less
    // often while a person is waited for.
    const waiting = from - (transaction.exception_at?.getTime() ?? from)
    const pause = Math.min(Math.max(waiting / 2, 5 * SECOND), LONGEST_WAIT_FOR_A_PERSON)
    return new Date(Math.max(transaction.apply_after?.getTime() ?? 0, from + pause))
  }
  const planned = [
    ...youngAfter(opened),
    ...youngAfter(transaction.hinted_at?.getTime() ?? opened),
    ...(from + MINUTE < expires ? [from + MINUTE] : []),
    ...AFTERWARDS.map((pause) => expires + pause),
  ].filter((moment) => moment > from)
  return planned.length ? new Date(Math.min(...planned)) : null
}

/** As often as at a young one, when a callback has named it since it was final: the service's reads may be behind. */
function nextLookAtFinal(transaction: WatchedTransaction, now: Date): Date | null {
  const { hinted_at, settled_at, handled_at, read_at } = transaction
  const final = Math.max(settled_at?.getTime() ?? 0, handled_at?.getTime() ?? 0)
  if (!hinted_at || hinted_at.getTime() <= final) {
    return null
  }
  const looks = youngAfter(hinted_at.getTime())
  const end = Math.max(...looks)
  const next = looks.find((moment) => moment > now.getTime())
  if (next !== undefined) {
    return new Date(next)
  }
  const isLookedAt = (read_at?.getTime() ?? 0) >= end
  return isLookedAt || now.getTime() >= end + LONGEST_OUTAGE
    ? null
    : new Date(now.getTime() + 10 * MINUTE)
}

/** When it is looked at while it is young, in milliseconds. */
function youngAfter(start: number): number[] {
  return YOUNG.map(
    (_, index) => start + YOUNG.slice(0, index + 1).reduce((sum, pause) => sum + pause, 0)
  )
}
