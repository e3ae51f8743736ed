/** Times of one part that another part relies on, in milliseconds. Any other time stands where it is used. */

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** The longest time-out that the options allow for reading a transaction, because a shopper at the checkout waits for it. */
export const LONGEST_READ_MS = 10 * SECOND

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
