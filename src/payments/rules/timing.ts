import {
  endOfTimeToPay,
  EXPIRY_GRACE_MS,
  isProven,
  isSettledInOrder,
  isSettledOrHandled,
  standingOf,
  type Transaction,
} from "./transaction"

/** Times of one part that another part relies on, in milliseconds. Any other time stands where it is used. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The reply to a creation may still be under way for this long after its row was written. */
export const CREATION_UNDER_WAY_MS = 10 * MINUTE

/** The service's list and its single answers may lag this far behind what an earlier answer proved. */
export const LONGEST_LAG_MS = HOUR

/** A proof of payment younger than this is not asked for again, because core asks while it completes a cart. */
export const FRESH_PROOF_MS = 15 * SECOND

/** Our lock of a cart or an order is renewed while work goes on, and expires this long after its holder died. */
export const CART_LOCK_MS = 30 * SECOND
/** Core's own lock of a cart, which `/complete` takes. */
const CORE_LOCK_MS = 2 * MINUTE
/** A lock that is held for longer does not belong to a dead process, so a person is asked. */
export const LONGEST_LOCK_MS = CORE_LOCK_MS + CART_LOCK_MS
/** A mark this old belongs to no running completion, because no lock of the cart lasts so long. */
export const OLD_COMPLETION_MS = LONGEST_LOCK_MS + 30 * SECOND

/** Work that changes Medusa and takes longer is hanging, in a hook of the shop for example, and is no longer waited for. */
export const LONGEST_CHANGE_MS = 3 * MINUTE

/** Reading the service's list for a comparison is stopped after this long, and repeated later. */
export const LONGEST_COMPARED_LIST_MS = HOUR
/** The lease of a comparison. It outlives the list and its differences, which are settled one after the other. */
export const COMPARISON_LEASE = { ttlMs: MINUTE, longestMs: 12 * HOUR }

/** Looks while a payment is young, with growing pauses; after that it is looked at every minute of its first hour. */
const YOUNG = [5, 15, 35, 75].map((seconds) => seconds * SECOND)
/** After the first hour, the pause grows with the age: a payment with a week to pay is read some 370 times, not 10,000. */
const pauseAtAge = (age: number) => Math.max(MINUTE, age / 60)
/** A payment is young after its opening and after each callback. Two looks closer than this are made as one. */
const SHORTEST_PAUSE = 5 * SECOND
/**
 * Looks after the time to pay, because money can still come; the first is when it counts as expired. Each needs an answer of the
 * service, or an outage would use them up.
 */
const AFTERWARDS = [EXPIRY_GRACE_MS + 5 * SECOND, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR]

/** Polls of all instances share an answer of this age. */
export const POLL_INTERVAL_MS = 2_000

const LONGEST_OUTAGE = 7 * 24 * HOUR
const LONGEST_WAIT_FOR_A_PERSON = 10 * MINUTE
/** A look that the service did not answer is repeated after this long at the latest. */
const UNANSWERED_PAUSE = 10 * MINUTE

/** Whether the watcher looks at the transaction when it is due; `WATCHED` says the same in SQL. */
export function isWatched(
  row: Pick<Transaction, "transaction_id" | "watch_at" | "settled_at" | "exception" | "hinted_at">
): boolean {
  const isHinted = Number(row.hinted_at) > Number(row.settled_at)
  const isOver = isSettledInOrder(row) && !isHinted
  return row.watch_at !== null && row.transaction_id !== null && !isOver
}

/** A settle has ended, or its process has died, this long after its claim. */
export const CLAIM_MS = 30 * SECOND

type Claimable = Pick<Transaction, "watch_at" | "claimed_until">
const isDue = ({ watch_at }: Claimable, now: Date) => watch_at !== null && watch_at <= now
const isClaimed = ({ claimed_until }: Claimable, now: Date) =>
  claimed_until !== null &&
  claimed_until > now &&
  Number(claimed_until) - Number(now) < 2 * CLAIM_MS

/** Whether a poll should have the service read: the payment is watched and not proven, and nobody has asked for two seconds. */
export function shouldReadForPoll(row: Transaction, now: Date): boolean {
  const isPaused = row.apply_after !== null && row.apply_after > now
  const quietMs = Math.abs(now.getTime() - Number(row.claimed_until))
  return (
    isWatched(row) &&
    !isProven(row) &&
    !isPaused &&
    !isClaimed(row, now) &&
    quietMs >= POLL_INTERVAL_MS
  )
}

/** Whether the service has said a moment ago that it is not paid; two seconds later it is asked again. */
export function isAnsweredJustNow({ state, read_at }: Transaction, now: Date): boolean {
  return state === "pending" && Math.abs(now.getTime() - Number(read_at)) < POLL_INTERVAL_MS
}

/** Whether the next settle will read the service for whoever comes now, so that another hint would change nothing. */
export function isAskedFor(row: Transaction, now: Date): boolean {
  const since = isClaimed(row, now) ? Number(row.claimed_until) - CLAIM_MS : Number(row.read_at)
  return isDue(row, now) && Number(row.hinted_at) > since
}

/** Whether somebody settles the row, or is about to read it for who came at that moment. */
export function isBeingSettled(row: Transaction, since: Date, now: Date): boolean {
  const isRead = row.read_at !== null && row.read_at >= since
  return isClaimed(row, now) || (isDue(row, now) && !isRead)
}

/** The moment of the last look; any read that was asked for later counts as that look. */
function endOfWatch(transaction: Transaction): number {
  const news = [transaction.paid_at, transaction.exception_at].map((at) => at?.getTime() ?? 0)
  return Math.max(endOfTimeToPay(transaction).getTime(), ...news) + Math.max(...AFTERWARDS)
}

/** Whether watching has ended although the service answered none of a week's attempts at the last look. */
export function isGivenUpUnread(transaction: Transaction, now: Date): boolean {
  const end = endOfWatch(transaction)
  const isOver = now.getTime() >= end + LONGEST_OUTAGE
  return isOver && !isSettledOrHandled(transaction) && !isReadSince(transaction, end)
}

/**
 * The moment at which the watcher settles a transaction next, without any callback.
 *
 * @param isUnanswered whether the service has not answered the look that ends now
 * @returns null when it is final and not watched any more
 */
export function nextWatchAt(
  transaction: Transaction,
  now: Date,
  isUnanswered = false
): Date | null {
  const opened = transaction.opened_at.getTime()
  const expires = endOfTimeToPay(transaction).getTime()
  const from = now.getTime()
  const end = endOfWatch(transaction)
  const standing = standingOf(transaction)
  if (standing === "taken_care_of" || standing === "settled") {
    return nextLookAtFinal(transaction, now)
  }
  if (from >= end) return lastLook(transaction, end, from)
  if (standing === "waiting_for_medusa" || standing === "waiting_for_person") {
    // The money came but Medusa has not followed: this is retried as soon as `apply_after` allows, and less often the longer the
    // exception lasts.
    const waiting = from - (transaction.exception_at?.getTime() ?? from)
    const pause = Math.min(Math.max(waiting / 2, 5 * SECOND), LONGEST_WAIT_FOR_A_PERSON)
    return new Date(Math.max(transaction.apply_after?.getTime() ?? 0, from + pause))
  }
  const pause = pauseAtAge(from - opened)
  const planned = [
    ...youngAfter(opened),
    ...youngAfter(transaction.hinted_at?.getTime() ?? opened),
    ...(from + pause < expires ? [from + pause] : []),
    ...(isUnanswered ? [from + Math.min(pause, UNANSWERED_PAUSE)] : []),
    ...AFTERWARDS.map((later) => expires + later),
  ].filter((moment) => moment > from)
  return planned.length ? new Date(Math.max(Math.min(...planned), from + SHORTEST_PAUSE)) : null
}

/** A final transaction that a callback names is watched like a new one: reads may lag behind callbacks. */
function nextLookAtFinal(transaction: Transaction, now: Date): Date | null {
  const { hinted_at, settled_at, handled_at } = transaction
  const final = Math.max(settled_at?.getTime() ?? 0, handled_at?.getTime() ?? 0)
  if (!hinted_at || hinted_at.getTime() <= final) return null
  const looks = youngAfter(hinted_at.getTime())
  const next = looks.find((moment) => moment > now.getTime())
  return next === undefined
    ? lastLook(transaction, Math.max(...looks), now.getTime())
    : new Date(next)
}

/** The last look is repeated for a week until the service answers. */
function lastLook(transaction: Transaction, end: number, now: number): Date | null {
  return isReadSince(transaction, end) || now >= end + LONGEST_OUTAGE
    ? null
    : new Date(now + UNANSWERED_PAUSE)
}

const isReadSince = ({ read_at }: Transaction, end: number) => (read_at?.getTime() ?? 0) >= end

/** The moments, in milliseconds of Unix time, at which a transaction is looked at while it is young after `start`. */
function youngAfter(start: number): number[] {
  return YOUNG.map((after) => start + after)
}
