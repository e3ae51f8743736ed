import { type AmountInput, compareAmounts, toWireAmount } from "./amount"
import { meaningOf, type StatusNames } from "./transaction-status"

/**
 * Where a transaction stands, from our own row's point of view.
 *
 * - `creating`: the row is written, the service's reply is not there yet
 * - `refused`: the service did not make the transaction
 * - `unknown`: no reply to the creation; the service may have made it, but its id never reached us
 * - the others are what the last reads proved
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

/** Exceptions that lie in the transaction as the service describes it. */
const FOUND_IN_READ = [
  "amount_less",
  "amount_more",
  "currency_differs",
  "merchant_differs",
  "reference_differs",
  "unknown_status",
  "reversed",
] as const

/** Exceptions that lie in Medusa's state; only an attempt to act finds them. */
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
 * What is out of order about a transaction; a second axis beside its state. Everything but
 * `unknown_status` is about money that was, or may have been, paid.
 */
export const TRANSACTION_EXCEPTIONS = [...FOUND_IN_READ, ...FOUND_IN_MEDUSA] as const
export type TransactionException = (typeof TRANSACTION_EXCEPTIONS)[number]

/** Our row, as far as a decision needs it. Amounts are decimal text. */
export interface ExpectedTransaction {
  /** Our reference, sent to the service as `payload`. */
  id: string
  /** What it was opened for; neither for a collection on its own (payment link). */
  cart_id: string | null
  order_id: string | null
  merchant_id: string
  /** As sent to the service, rounded to kopecks. */
  amount: string
  currency: string
  state: TransactionState
  exception: TransactionException | null
  opened_at: Date
  expires_at: Date | null
  settled_at: Date | null
  /** What a person took instead of `amount`, and the cart's total that they had before them. */
  accepted_amount: string | null
  accepted_cart_total: string | null
  /** A person took care of the money. */
  handled_at: Date | null
  /** An order was placed on its promise. */
  deferred_at: Date | null
}

/** A transaction as the service described it just now (`GET /transaction/{id}`). */
export interface TransactionRead {
  status: string
  amount: string
  currency: string
  merchantId: string | null
  payload: string | null
}

/** What Medusa holds for the transaction at the moment of the decision. */
export interface MedusaState {
  session: { id: string; status: string; amount: AmountInput; currency: string } | null
  payment: { id: string; captured: boolean; canceled: boolean } | null
  /** Another payment in the same collection: what it is for has been paid without us. */
  otherPayment: { id: string } | null
  cart: { id: string; total: AmountInput; currency: string } | null
  order: {
    id: string
    canceled: boolean
    /** Placed before its payment, and neither paid nor payable by any other transaction. */
    unpaid: boolean
    /** What is still to be paid for it; less than nothing when too much was. */
    owed: AmountInput
  } | null
}

/** When Medusa places the order: after the money came, or before (`orderPlacement`). */
export type OrderPlacement = "after_payment" | "before_payment"

/** As much as core may be asked about in the middle of its own work: enough to judge, not to act. */
export type SessionState = Pick<MedusaState, "session"> & Partial<Pick<MedusaState, "cart">>

/** The one thing to do in Medusa now. */
export type Action =
  | { do: "nothing" }
  /** Complete the cart, then capture; `reopenSession` when the session was closed before the money came. */
  | { do: "place_order"; cartId: string; sessionId: string; reopenSession: boolean }
  /** Authorize the session of an order (or of a collection on its own), then capture. */
  | { do: "authorize"; sessionId: string; cartId: string | null; reopenSession: boolean }
  /** Book the capture on the order and tell the world; with the cart, if there is one, held still. */
  | { do: "capture"; paymentId: string; cartId: string | null }
  | { do: "cancel_session"; sessionId: string }
  /** An order that was placed before its payment, and whose time to pay is over. */
  | { do: "cancel_order"; orderId: string; cartId: string | null }

function isFoundInMedusa(exception: TransactionException | null): boolean {
  return FOUND_IN_MEDUSA.some((found) => found === exception)
}

/** Did a read prove this payment in full, whatever Medusa made of it since? */
export function isProven(row: Pick<ExpectedTransaction, "state" | "exception">): boolean {
  return row.state === "paid" && (row.exception === null || isFoundInMedusa(row.exception))
}

export interface Decision {
  state: TransactionState
  exception: TransactionException | null
  /** What differs, in words for a log line or a dashboard; empty when all is in order. */
  differences: string[]
  /** What `authorizePayment` and `getPaymentStatus` answer to Medusa. */
  sessionStatus: "captured" | "pending" | "pending_authorization" | "canceled"
  /** Paid, and first seen to be after its time or after a cancellation. */
  late: boolean
  action: Action
}

/** A transaction that is still pending counts as expired only this long after its time to pay. */
export const EXPIRY_GRACE_MS = 2 * 60 * 1000

/** Session statuses from which Medusa neither completes a cart nor authorizes any more. */
const CLOSED_SESSION = new Set(["canceled", "error"])
/** For a transaction to which the service gave no time to pay. */
const USUAL_TIME_TO_PAY_MS = 60 * 60 * 1000
const NOT_READ_YET = new Set<TransactionState>(["creating", "refused", "unknown"])
const NOTHING: Action = { do: "nothing" }

/**
 * The one place that decides what a read of a transaction means. Pure: the same input always gives
 * the same decision, so deciding twice, late or in another process changes nothing.
 *
 * Without all of `medusa` the transaction (and its session, if given) is judged and nothing is to be done.
 *
 * Nothing is paid until the service says so in full: a status from the configured paid list, our
 * merchant, our reference, the same currency and the same amount.
 */
export function decide(input: {
  row: ExpectedTransaction
  read: TransactionRead
  medusa: MedusaState | SessionState | null
  statuses: StatusNames
  now: Date
  /** In effect for carts that are not orders yet; without it, money comes first. */
  placement?: OrderPlacement
}): Decision {
  const { row, read, medusa, statuses, now, placement = "after_payment" } = input
  const wasPaid = row.state === "paid"

  switch (meaningOf(read.status, statuses)) {
    case "paid":
      return { ...decidePaid(row, read, medusa), late: isLate(row, now) }

    case "pending":
      // A stale read must not take back what an earlier one proved. One that comes after the time to pay is
      // hardly stale: nothing would be done about the money any more, so a person is asked.
      if (wasPaid) {
        return isWaiting(row) && isTimeOver(row, now) ? reversed(row, read) : unchanged(row)
      }
      if (isClosed(row.state) || isPastExpiry(row, now)) {
        return closed(row.state === "canceled" ? "canceled" : "expired", row, medusa, now)
      }
      return {
        ...unchanged(row),
        state: "pending",
        sessionStatus: placement === "before_payment" ? "pending_authorization" : "pending",
      }

    case "canceled":
    case "expired": {
      const state = statuses.expired.includes(read.status) ? "expired" : "canceled"
      return wasPaid ? reversed(row, read) : closed(state, row, medusa, now)
    }

    case "reversed":
      return wasPaid
        ? reversed(row, read)
        : { ...closed("canceled", row, medusa, now), ...reversal(read), state: "canceled" }

    case "unknown":
      return {
        ...unchanged(row),
        // What was wrong with money that came is worth more than a new word for it; an order that could not
        // be placed is not, because it is not tried again until the word is known.
        exception: (isWaiting(row) ? null : unchanged(row).exception) ?? "unknown_status",
        differences: [`status "${read.status}" is in none of the configured lists`],
      }
  }
}

function decidePaid(
  row: ExpectedTransaction,
  read: TransactionRead,
  medusa: MedusaState | SessionState | null
): Omit<Decision, "late"> {
  if (row.handled_at) {
    return { ...unchanged(row), state: "paid", sessionStatus: "pending" }
  }
  const mismatch = firstMismatch(row, read) ?? medusaMismatch(row, medusa)
  if (mismatch) {
    return {
      state: "paid",
      exception: mismatch.exception,
      differences: mismatch.differences,
      sessionStatus: "pending",
      action: NOTHING,
    }
  }
  if (!isWhole(medusa)) {
    const exception = isFoundInMedusa(row.exception) ? row.exception : null
    return { state: "paid", exception, differences: [], sessionStatus: "captured", action: NOTHING }
  }
  const { action, exception, difference } = planPaid(row, medusa)
  return {
    state: "paid",
    exception: exception ?? null,
    differences: difference ? [difference] : [],
    sessionStatus: exception ? "pending" : "captured",
    action,
  }
}

type Mismatch = { exception: TransactionException; differences: string[] }

function firstMismatch(row: ExpectedTransaction, read: TransactionRead): Mismatch | null {
  const found: [TransactionException, string][] = []
  if (read.merchantId?.toLowerCase() !== row.merchant_id.toLowerCase()) {
    found.push([
      "merchant_differs",
      `merchant ${read.merchantId ?? "missing"}, ours ${row.merchant_id}`,
    ])
  }
  if (read.payload !== row.id) {
    found.push([
      "reference_differs",
      `payload ${read.payload ? "is another one" : "is missing"}, ours ${row.id}`,
    ])
  }
  if (read.currency.toUpperCase() !== row.currency.toUpperCase()) {
    found.push(["currency_differs", `currency ${read.currency}, asked for ${row.currency}`])
  }
  const order = compareAmounts(read.amount, wantedAmount(row))
  if (order !== 0) {
    found.push([
      order < 0 ? "amount_less" : "amount_more",
      `amount ${read.amount}, ${row.accepted_amount ? "accepted" : "asked for"} ${wantedAmount(row)}`,
    ])
  }
  const [first] = found
  return first ? { exception: first[0], differences: found.map(([, text]) => text) } : null
}

function wantedAmount(row: ExpectedTransaction): string {
  return row.accepted_amount ?? row.amount
}

/** A session or cart that no longer stands for what was asked of the service must not be captured. */
function medusaMismatch(
  row: ExpectedTransaction,
  medusa: MedusaState | SessionState | null
): Mismatch | null {
  const { session = null, cart = null } = medusa ?? {}
  if (!session) {
    return null
  }
  const asked = { amount: wantedAmount(row), currency: row.currency }
  const sessionSum = { amount: session.amount, currency: session.currency }
  if (!isSameSum(sessionSum, asked)) {
    return {
      exception: "session_differs",
      differences: [
        `session ${session.id} is for ${inWords(sessionSum)}, the transaction for ${inWords(asked)}`,
      ],
    }
  }
  const isPlaced = isWhole(medusa) && medusa.order !== null
  const cartSum = cart && { amount: cart.total, currency: cart.currency }
  // Whoever accepted the payment for this cart saw what it was worth then.
  const expected = { ...sessionSum, amount: row.accepted_cart_total ?? session.amount }
  if (cartSum && !isPlaced && !isSameSum(cartSum, expected)) {
    return {
      exception: "cart_changed",
      differences: [
        `cart ${cart.id} is now ${inWords(cartSum)}, ` +
          (row.accepted_cart_total
            ? `accepted as ${inWords(expected)}`
            : `its session ${inWords(expected)}`),
      ],
    }
  }
  return null
}

interface Sum {
  amount: AmountInput
  currency: string
}

/** To the kopeck: below that, totals and sessions differ by how Medusa stores their digits. */
function isSameSum(left: Sum, right: Sum): boolean {
  return (
    toWireAmount(left.amount) === toWireAmount(right.amount) &&
    left.currency.toUpperCase() === right.currency.toUpperCase()
  )
}

function inWords({ amount, currency }: Sum): string {
  return `${amount.toString()} ${currency.toUpperCase()}`
}

function isWhole(medusa: MedusaState | SessionState | null): medusa is MedusaState {
  return medusa !== null && "order" in medusa
}

function planPaid(
  row: ExpectedTransaction,
  medusa: MedusaState
): { action: Action; exception?: TransactionException; difference?: string } {
  const { session, payment, otherPayment, cart, order } = medusa
  if (payment?.canceled) {
    return problem("payment_canceled", `payment ${payment.id} was canceled in Medusa`)
  }
  if (isTargetGone(row, medusa) && !(payment?.captured && row.settled_at)) {
    return problem("session_gone", "what it was to pay for is not there any more")
  }
  if (payment && (order || !cart)) {
    if (payment.captured && row.settled_at) {
      return { action: NOTHING }
    }
    // Captured already, but nobody has told the world yet: capturing again only emits the event.
    return order?.canceled && !payment.captured
      ? problem("order_canceled", `order ${order.id} is canceled`)
      : { action: { do: "capture", paymentId: payment.id, cartId: cart?.id ?? null } }
  }
  if (otherPayment && order) {
    return problem("paid_twice", `order ${order.id} has payment ${otherPayment.id}`)
  }
  if (!session) {
    return problem("session_gone", "its payment session was deleted or replaced")
  }
  if (order?.canceled) {
    return problem("order_canceled", `order ${order.id} is canceled`)
  }
  if (order && !row.accepted_amount && compareAmounts(toWireAmount(order.owed), row.amount) < 0) {
    return problem(
      compareAmounts(order.owed, "0") > 0 ? "session_differs" : "paid_twice",
      `order ${order.id} is owed ${order.owed.toString()} by now`
    )
  }
  return { action: cart && !order ? placeOrder(cart.id, session) : authorize(cart, session) }
}

/**
 * The cart was removed, or the order's collection was taken from it: money that is captured then stands
 * nowhere.
 */
export function isTargetGone(
  row: Pick<ExpectedTransaction, "cart_id" | "order_id">,
  { cart, order }: Pick<MedusaState, "cart" | "order">
): boolean {
  return (row.cart_id !== null || row.order_id !== null) && !cart && !order
}

function placeOrder(cartId: string, session: { id: string; status: string }): Action {
  return {
    do: "place_order",
    cartId,
    sessionId: session.id,
    reopenSession: CLOSED_SESSION.has(session.status),
  }
}

function authorize(cart: MedusaState["cart"], session: { id: string; status: string }): Action {
  return {
    do: "authorize",
    sessionId: session.id,
    cartId: cart?.id ?? null,
    reopenSession: CLOSED_SESSION.has(session.status),
  }
}

function problem(exception: TransactionException, difference: string) {
  return { action: NOTHING, exception, difference }
}

/**
 * A decline keeps an order that was placed before its payment until the time to pay is over: the shopper
 * may pay again.
 */
function closed(
  state: "canceled" | "expired",
  row: ExpectedTransaction,
  medusa: MedusaState | SessionState | null,
  now: Date
): Decision {
  return {
    state,
    exception: null,
    differences: [],
    sessionStatus: "canceled",
    late: false,
    action: isWhole(medusa) ? planClosed(row, medusa, now) : NOTHING,
  }
}

function planClosed(
  row: ExpectedTransaction,
  { session, payment, cart, order }: MedusaState,
  now: Date
): Action {
  if (session && !payment && !CLOSED_SESSION.has(session.status)) {
    return { do: "cancel_session", sessionId: session.id }
  }
  return order?.unpaid && !order.canceled && isTimeOver(row, now)
    ? { do: "cancel_order", orderId: order.id, cartId: cart?.id ?? null }
    : NOTHING
}

function isTimeOver(row: ExpectedTransaction, now: Date): boolean {
  return now.getTime() >= endOfTimeToPay(row).getTime() + EXPIRY_GRACE_MS
}

/** When the time to pay is over; after the usual time where the service named none. */
export function endOfTimeToPay(row: Pick<ExpectedTransaction, "opened_at" | "expires_at">): Date {
  return row.expires_at ?? new Date(row.opened_at.getTime() + USUAL_TIME_TO_PAY_MS)
}

function reversal(read: TransactionRead): Pick<Decision, "exception" | "differences"> {
  return { exception: "reversed", differences: [`the service now calls it "${read.status}"`] }
}

/** Paid before, taken back now: what Medusa holds stays as it is until a person has looked. */
function reversed(row: ExpectedTransaction, read: TransactionRead): Decision {
  return { ...unchanged(row), ...reversal(read) }
}

function unchanged(row: ExpectedTransaction): Decision {
  return {
    late: false,
    state: NOT_READ_YET.has(row.state) ? "pending" : row.state,
    exception: row.state === "paid" ? row.exception : null,
    differences: [],
    sessionStatus: isClosed(row.state) ? "canceled" : "pending",
    action: NOTHING,
  }
}

/** Paid, and only Medusa has to follow: nobody has been asked about it. */
function isWaiting(row: ExpectedTransaction): boolean {
  return (
    row.state === "paid" &&
    (row.exception === null || row.exception === "completion_failed") &&
    !row.settled_at &&
    !row.handled_at
  )
}

function isClosed(state: TransactionState): boolean {
  return state === "canceled" || state === "expired"
}

/** Judged when it is first seen to be paid; nothing tells when exactly the money moved. */
function isLate(row: ExpectedTransaction, now: Date): boolean {
  return (
    row.state !== "paid" &&
    (isClosed(row.state) || (row.expires_at !== null && now > row.expires_at))
  )
}

/** Where the service named no time to pay, it stays open, unless an order waits for it. */
function isPastExpiry(row: ExpectedTransaction, now: Date): boolean {
  const isAwaited = row.deferred_at !== null || row.order_id !== null
  return (row.expires_at !== null || isAwaited) && isTimeOver(row, now)
}
