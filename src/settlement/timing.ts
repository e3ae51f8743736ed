/**
 * Times that depend on each other, in milliseconds. A time that nothing else depends on stands where it is used.
 */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The longest time-out that the options allow for reading a transaction: nobody waits longer at a checkout. */
export const LONGEST_READ_MS = 10 * SECOND

/** The lease of a read: it outlives any read, and whoever waits for it waits for one whole read of somebody else. */
export const READ_LEASE = {
  ttlMs: LONGEST_READ_MS + 5 * SECOND,
  waitMs: LONGEST_READ_MS + 2 * SECOND,
}

/** A proof of payment this young need not be asked for again: a read that was begun with it may still be going on. */
export const FRESH_PROOF_MS = READ_LEASE.ttlMs

/** A background settle that takes longer is surely past its read of the service: another one may begin. */
export const LONGEST_READING_MS = READ_LEASE.waitMs + LONGEST_READ_MS + 3 * SECOND

/** Our lock of a cart or an order: it is renewed while work goes on, and ends this long after its holder died. */
export const CART_LOCK_MS = 30 * SECOND
/** Core's own lock of a cart, which `/complete` takes. */
const CORE_LOCK_MS = 2 * MINUTE
/** A lock that is held for longer is no dead process's: a person is asked. */
export const LONGEST_LOCK_MS = CORE_LOCK_MS + CART_LOCK_MS
/** Nobody is completing a cart any more whose mark is this old: no lock of the cart outlives it. */
export const OLD_COMPLETION_MS = LONGEST_LOCK_MS + 30 * SECOND

/** A settle in the background that takes longer hangs, in a hook of the shop's for example, and is left behind. */
export const LONGEST_BACKGROUND_SETTLE_MS = 3 * MINUTE
/** A pass of the watcher ends after this long, with or without more to do, so that other instances have their turn. */
export const LONGEST_PASS_MS = 5 * MINUTE
/** Work under a lease hangs if it takes longer, and may be taken over: a pass and its last settle have ended before. */
export const LONGEST_LEASED_WORK_MS = LONGEST_PASS_MS + LONGEST_BACKGROUND_SETTLE_MS + 2 * MINUTE
/** Work of a job that takes longer hangs, and is begun anew: whatever it did under a lease has ended before. */
export const LONGEST_JOB_MS = LONGEST_LEASED_WORK_MS + 5 * MINUTE

/** The service's list of transactions for a comparison is broken off after this long, and asked for again later. */
export const LONGEST_COMPARED_LIST_MS = HOUR
/** The lease of a comparison: it outlives the list and the differences in it, which are settled one after the other. */
export const COMPARISON_LEASE = { ttlMs: MINUTE, longestMs: 12 * HOUR }

/** The service's list of transactions for a page is broken off after this long. */
export const LONGEST_LISTING_MS = 30 * MINUTE
/** The lease of such a list: it outlives the list, and nobody waits for it longer than at a page. */
export const LISTING_LEASE = {
  ttlMs: MINUTE,
  waitMs: 10 * MINUTE,
  longestMs: LONGEST_LISTING_MS + MINUTE,
}

/** From the moment a payout is written down as being sent until its request must have begun, or is not made at all. */
export const LONGEST_HESITATION_MS = 10 * SECOND
/** A payout is taken for lost this long after its time-out: the process that was sending it would have had an answer. */
export const PAYOUT_MARGIN_MS = LONGEST_HESITATION_MS + 20 * SECOND
/** A payout of which nobody knows for this long whether it went through is a problem. */
export const PAYOUT_UNKNOWN_MS = 10 * MINUTE
