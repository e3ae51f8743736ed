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
  merchant_id: string
  /** As sent to the service, rounded to kopecks. */
  amount: string
  currency: string
  state: TransactionState
  exception: TransactionException | null
  expires_at: Date | null
  settled_at: Date | null
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
  cart: { id: string; total: AmountInput; currency: string } | null
  order: { id: string; canceled: boolean } | null
}

/** As much as core may be asked about in the middle of its own work: enough to judge, not to act. */
export type SessionState = Pick<MedusaState, "session"> & Partial<Pick<MedusaState, "cart">>

/** The one thing to do in Medusa now. */
export type Action =
  | { do: "nothing" }
  /** Complete the cart, then capture; `reopenSession` when the session was closed before the money came. */
  | { do: "place_order"; cartId: string; sessionId: string; reopenSession: boolean }
  /** Authorize the session of an order (or of a collection on its own), then capture. */
  | { do: "authorize"; sessionId: string; deferred: boolean; reopenSession: boolean }
  /** Book the capture on the order and tell the world; with the cart, if there is one, held still. */
  | { do: "capture"; paymentId: string; cartId: string | null }
  | { do: "cancel_session"; sessionId: string }

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
  sessionStatus: "captured" | "pending" | "canceled"
  action: Action
}

/** A transaction that is still pending counts as expired only this long after its time to pay. */
export const EXPIRY_GRACE_MS = 2 * 60 * 1000

/** Session statuses from which Medusa neither completes a cart nor authorizes any more. */
const CLOSED_SESSION = new Set(["canceled", "error"])
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
}): Decision {
  const { row, read, medusa, statuses, now } = input
  const wasPaid = row.state === "paid"

  switch (meaningOf(read.status, statuses)) {
    case "paid":
      return decidePaid(row, read, medusa)

    case "pending":
      // A stale read must not take back what an earlier one proved.
      if (wasPaid) {
        return unchanged(row)
      }
      if (isClosed(row.state) || isPastExpiry(row, now)) {
        return closed(row.state === "canceled" ? "canceled" : "expired", medusa)
      }
      return { ...unchanged(row), state: "pending" }

    case "canceled":
    case "expired": {
      const state = statuses.expired.includes(read.status) ? "expired" : "canceled"
      return wasPaid ? reversed(row, read) : closed(state, medusa)
    }

    case "reversed":
      return wasPaid
        ? reversed(row, read)
        : { ...closed("canceled", medusa), ...reversal(read), state: "canceled" }

    case "unknown":
      return {
        ...unchanged(row),
        // What was wrong with money that came is worth more than a new word for it.
        exception: (wasPaid ? row.exception : null) ?? "unknown_status",
        differences: [`status "${read.status}" is in none of the configured lists`],
      }
  }
}

function decidePaid(
  row: ExpectedTransaction,
  read: TransactionRead,
  medusa: MedusaState | SessionState | null
): Decision {
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
  const order = compareAmounts(read.amount, row.amount)
  if (order !== 0) {
    found.push([
      order < 0 ? "amount_less" : "amount_more",
      `amount ${read.amount}, asked for ${row.amount}`,
    ])
  }
  const [first] = found
  return first ? { exception: first[0], differences: found.map(([, text]) => text) } : null
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
  const asked = { amount: row.amount, currency: row.currency }
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
  if (cartSum && !isPlaced && !isSameSum(cartSum, sessionSum)) {
    return {
      exception: "cart_changed",
      differences: [
        `cart ${cart.id} is now ${inWords(cartSum)}, its session ${inWords(sessionSum)}`,
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
  { session, payment, cart, order }: MedusaState
): { action: Action; exception?: TransactionException; difference?: string } {
  if (payment?.canceled) {
    return problem("payment_canceled", `payment ${payment.id} was canceled in Medusa`)
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
  if (!session) {
    return problem("session_gone", "its payment session was deleted or replaced")
  }
  if (order?.canceled) {
    return problem("order_canceled", `order ${order.id} is canceled`)
  }
  // With an order already there, either somebody completes the cart right now, or it became an order
  // through another payment: completing waits for the former and shows the latter.
  const isDeferred = session.status === "pending_authorization"
  return {
    action: cart && !(order && isDeferred) ? placeOrder(cart.id, session) : authorize(session),
  }
}

function placeOrder(cartId: string, session: { id: string; status: string }): Action {
  return {
    do: "place_order",
    cartId,
    sessionId: session.id,
    reopenSession: CLOSED_SESSION.has(session.status),
  }
}

function authorize(session: { id: string; status: string }): Action {
  return {
    do: "authorize",
    sessionId: session.id,
    deferred: session.status === "pending_authorization",
    reopenSession: CLOSED_SESSION.has(session.status),
  }
}

function problem(exception: TransactionException, difference: string) {
  return { action: NOTHING, exception, difference }
}

function closed(
  state: "canceled" | "expired",
  medusa: MedusaState | SessionState | null
): Decision {
  const session = isWhole(medusa) && !medusa.payment ? medusa.session : null
  const open = session && !CLOSED_SESSION.has(session.status)
  return {
    state,
    exception: null,
    differences: [],
    sessionStatus: "canceled",
    action: open ? { do: "cancel_session", sessionId: session.id } : NOTHING,
  }
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
    state: NOT_READ_YET.has(row.state) ? "pending" : row.state,
    exception: row.state === "paid" ? row.exception : null,
    differences: [],
    sessionStatus: isClosed(row.state) ? "canceled" : "pending",
    action: NOTHING,
  }
}

function isClosed(state: TransactionState): boolean {
  return state === "canceled" || state === "expired"
}

function isPastExpiry(row: ExpectedTransaction, now: Date): boolean {
  return row.expires_at !== null && now.getTime() >= row.expires_at.getTime() + EXPIRY_GRACE_MS
}
