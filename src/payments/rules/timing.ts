import type { Transaction } from "./transaction"
import * as rules from "./transaction"

/** Times of one part that another part relies on, in milliseconds. Any other time stands where it is used. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The reply to a creation may still be under way for this long after its row was written. */
export const CREATION_UNDER_WAY_MS = 10 * MINUTE

/** The service's list and its single answers may lag this far behind what an earlier answer proved. */
export const LONGEST_LAG_MS = HOUR

/** A proof of payment younger than this is as good as a new one, for the watcher and for core, which asks while it completes a cart. */
export const FRESH_PROOF_MS = 15 * SECOND
export const freshSince = (now: Date) => new Date(now.getTime() - FRESH_PROOF_MS)

/** Our lock of a cart or an order is renewed while work goes on, and expires this long after its holder died. */
export const CART_LOCK_MS = 30 * SECOND
/** Core's own lock of a cart, which `/complete` takes. */
const CORE_LOCK_MS = 2 * MINUTE
/** A lock that is held for longer does not belong to a dead process, so a person is asked. */
export const LONGEST_LOCK_MS = CORE_LOCK_MS + CART_LOCK_MS
/** No lock of the cart lasts so long, so no completion with a mark this old is running. */
export const OLD_COMPLETION_MS = LONGEST_LOCK_MS + 30 * SECOND

/** Work that changes Medusa and takes longer is hanging, in a hook of the shop for example, and is no longer waited for. */
export const LONGEST_CHANGE_MS = 3 * MINUTE

/** Reading the service's list for a comparison is stopped after this long, and repeated later. */
export const LONGEST_COMPARED_LIST_MS = HOUR
/** The lease of a comparison outlives the list and its differences, which are settled one after the other. */
export const COMPARISON_LEASE = { ttlMs: MINUTE, longestMs: 12 * HOUR }

/** Looks after the opening and after each callback. */
const YOUNG = [5, 15, 35, 75].map((seconds) => seconds * SECOND)
/** Then it is looked at every minute of its first hour, and less often with its age: one with a week to pay 370 times, not 10,000. */
const pauseAtAge = (age: number) => Math.max(MINUTE, age / 60)
const SHORTEST_PAUSE = 5 * SECOND
/** Looks after the time to pay, because money can still come. Each needs an answer of the service, or an outage would use them up. */
const AFTERWARDS = [rules.EXPIRY_GRACE_MS + 5 * SECOND, 10 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR]

/** Polls of all instances share an answer of this age. */
const POLL_INTERVAL_MS = 2_000

const LONGEST_OUTAGE = 7 * 24 * HOUR
const LONGEST_WAIT_FOR_A_PERSON = 10 * MINUTE
/** A look that the service did not answer is repeated after this long at the latest. */
const UNANSWERED_PAUSE = 10 * MINUTE

/** Whether the watcher looks at the transaction when it is due; `WATCHED` says the same in SQL. */
export function isWatched(row: Transaction): boolean {
  const isHinted = Number(row.hinted_at) > Number(row.settled_at)
  const isOver = rules.isSettledInOrder(row) && !isHinted
  return row.watch_at !== null && row.transaction_id !== null && !isOver
}

/** A settle has ended, or its process has died, this long after its claim. */
export const CLAIM_MS = 30 * SECOND

const isDue = ({ watch_at }: Transaction, now: Date) => watch_at !== null && watch_at <= now
export const isClaimed = ({ claimed_until: end }: Transaction, now: Date) =>
  end !== null && end > now && Number(end) - Number(now) < 2 * CLAIM_MS

/** Whether a poll should have the service read: the payment is watched and not proven, and nobody has asked for two seconds. */
export function shouldReadForPoll(row: Transaction, now: Date): boolean {
  const isPaused = row.apply_after !== null && row.apply_after > now
  const isQuiet = Math.abs(now.getTime() - Number(row.claimed_until)) >= POLL_INTERVAL_MS
  return isWatched(row) && !rules.isProven(row) && !isPaused && !isClaimed(row, now) && isQuiet
}

export const isAnsweredJustNow = ({ state, read_at }: Transaction, now: Date) =>
  state === "pending" && Math.abs(now.getTime() - Number(read_at)) < POLL_INTERVAL_MS

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
function endOfWatch(row: Transaction): number {
  const news = [rules.endOfTimeToPay(row), row.paid_at, row.exception_at].map(Number)
  return Math.max(...news) + Math.max(...AFTERWARDS)
}

/** Whether watching has ended although the service answered none of a week's attempts at the last look. */
export function isGivenUpUnread(row: Transaction, now: Date): boolean {
  const end = endOfWatch(row)
  const isOver = now.getTime() >= end + LONGEST_OUTAGE
  return isOver && !rules.isSettledOrHandled(row) && Number(row.read_at) < end
}

/** The watcher's next settle, without any callback; null when the row is final. `isUnanswered`: the look that ends now got no answer. */
export function nextWatchAt(row: Transaction, now: Date, isUnanswered = false): Date | null {
  const from = now.getTime()
  const opened = row.opened_at.getTime()
  const expires = rules.endOfTimeToPay(row).getTime()
  const end = endOfWatch(row)
  const standing = rules.standingOf(row)
  if (standing === "taken_care_of" || standing === "settled") return nextLookAtFinal(row, from)
  if (from >= end) return lastLook(row, end, from)
  if (standing === "waiting_for_medusa" || standing === "waiting_for_person") {
    // It is retried as soon as `apply_after` allows, and less often the longer the exception lasts.
    const waiting = from - (row.exception_at?.getTime() ?? from)
    const pause = Math.min(Math.max(waiting / 2, 5 * SECOND), LONGEST_WAIT_FOR_A_PERSON)
    return new Date(Math.max(Number(row.apply_after), from + pause))
  }
  const pause = pauseAtAge(from - opened)
  const planned = [
    ...youngAfter(opened),
    ...youngAfter(row.hinted_at?.getTime() ?? opened),
    ...(from + pause < expires ? [from + pause] : []),
    ...(isUnanswered ? [from + Math.min(pause, UNANSWERED_PAUSE)] : []),
    ...AFTERWARDS.map((later) => expires + later),
  ].filter((moment) => moment > from)
  return planned.length ? new Date(Math.max(Math.min(...planned), from + SHORTEST_PAUSE)) : null
}

/** A final transaction that a callback names is watched like a new one: reads may lag behind callbacks. */
function nextLookAtFinal(row: Transaction, now: number): Date | null {
  const { hinted_at, settled_at, handled_at } = row
  if (Number(hinted_at) <= Math.max(Number(settled_at), Number(handled_at))) return null
  const looks = youngAfter(Number(hinted_at))
  const next = looks.find((moment) => moment > now)
  return next === undefined ? lastLook(row, Math.max(...looks), now) : new Date(next)
}

/** The last look is repeated for a week until the service answers. */
function lastLook(row: Transaction, end: number, now: number): Date | null {
  const isOver = Number(row.read_at) >= end || now >= end + LONGEST_OUTAGE
  return isOver ? null : new Date(now + UNANSWERED_PAUSE)
}

const youngAfter = (start: number) => YOUNG.map((after) => start + after)
