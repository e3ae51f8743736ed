import type { Difference } from "../../problems/rules/reasons"
import type { Sum } from "../../texts"
import { compareSums, isSameButForDigits, toDecimalText } from "../../values/amount"
import type { AmountInput } from "../../values/amount"
import type { Transaction, TransactionException } from "./transaction"
import * as rules from "./transaction"

/** A transaction as the service described it just now (`GET /transaction/{id}`). */
export interface TransactionRead {
  status: string
  amount: string
  currency: string
  merchantId: string | null
  payload: string | null
}

/** The last read of any process, from its row. Of a wrong merchant or reference it keeps only the exception: null stands for it. */
export function recordedRead(row: Transaction): TransactionRead {
  return {
    status: row.status ?? "",
    ...rules.paidSum(row),
    merchantId: row.exception === "merchant_differs" ? null : row.merchant_id,
    payload: row.exception === "reference_differs" ? null : row.id,
  }
}

/** Whether a read that was asked for at `since` or later has proven the payment, and neither Medusa nor a person has followed. */
export const isProvenSince = (row: Transaction, since: Date) =>
  row.read_at !== null &&
  row.read_at >= since &&
  rules.isToBeSettled(row) &&
  row.settled_at === null

/** The records of Medusa for the transaction at the moment of the decision. */
export interface MedusaState {
  session: { id: string; status: string; amount: AmountInput; currency: string } | null
  payment: { id: string; isCaptured: boolean; isCanceled: boolean } | null
  /** Another payment in the same collection, which Medusa never asks for twice. */
  otherPayment: { id: string; isCaptured: boolean } | null
  cart: { id: string; total: AmountInput; currency: string } | null
  order: {
    id: string
    isCanceled: boolean
    /** The sum that is still to be paid when every payment counts, captured or promised; negative when too much was paid. */
    owed: AmountInput
    /** The part of it that other payments have promised, for example cash on delivery. */
    promised: AmountInput
    paidAt: Date | null
    /**
     * The end of an order to which no payment of ours brings money any more: `cancel` one that was placed on the promise of a
     * payment and got nothing, `tell` of one that got a part, was promised nothing, or may be paid in another way; else null.
     */
    unpaid: "cancel" | "tell" | null
  } | null
}
type Order = NonNullable<MedusaState["order"]>

/** The part of Medusa that is read in the middle of core's own work, to judge by. With `cart`, core's own new order is left out. */
export type SessionState = Pick<MedusaState, "session"> &
  Partial<Pick<MedusaState, "cart" | "order">>

function isComplete(medusa: SessionState | null): medusa is MedusaState {
  return medusa !== null && "payment" in medusa
}

export type OrderPlacement = "after_payment" | "before_payment"

export interface Decision {
  state: rules.TransactionState
  exception: TransactionException | null
  differences: Difference[]
  /** The answer of `authorizePayment` and `getPaymentStatus` to Medusa. */
  sessionStatus: "captured" | "pending" | "pending_authorization" | "canceled"
  /** The payment was first seen after its time to pay or after a cancellation. */
  late: boolean
  /** The read itself says that money came, the full sum or not. */
  isMoney: boolean
  /** Not paid yet, and session or cart now has another sum, so no order may be placed on its promise. */
  isOutdated?: true
  action: Action
}

/** `reopenSession` when the session was closed before the money came. */
type Paying = { sessionId: string; reopenSession: boolean }

/** The one thing to do in Medusa now. Amounts are decimal text; `isEven` when the order is then paid exactly. */
export type Action =
  | { do: "nothing" }
  /** Complete the cart, then capture. */
  | ({ do: "place_order"; cartId: string; cartTotal: string } & Paying)
  /** Give the payment a new session in its cart, which is as it was; amount and currency are the cart's. */
  | { do: "adopt"; amount: string; currency: string }
  /** Authorize the session of an order (or of a collection without an order), then capture. */
  | ({ do: "authorize"; orderId: string | null; isEven: boolean } & Paying)
  /** Book the capture on the order, if there is one, and emit `payment.captured`. */
  | { do: "capture"; paymentId: string; orderId: string | null; isEven: boolean }
  | { do: "cancel_session"; sessionId: string }
  /** Cancel an order that was placed before its payment and whose time to pay is over. */
  | { do: "cancel_order"; orderId: string }
  /** Report an order of which only a part was paid, or that was placed without the promise of a payment: a person decides. */
  | { do: "report_order"; orderId: string; owed: string }

export const NOTHING: Action = { do: "nothing" }

interface Situation {
  row: Transaction
  read: TransactionRead
  medusa: SessionState | null
  statuses: rules.StatusNames
  now: Date
  /** Concerns only carts that are not orders yet; `after_payment` by default. */
  placement?: OrderPlacement
}

/**
 * The one place that decides what a read of a transaction means. It is pure, so deciding twice, late or in another process changes
 * nothing. When `medusa` is null or not complete, only what is given is judged, and the action is `nothing`. Nothing is paid until
 * the service says so in full: a status from the configured paid list, our merchant, reference, currency and amount.
 */
export function decide(situation: Situation): Decision {
  const { row, read, medusa, statuses, now } = situation
  const wasPaid = row.state === "paid"
  const standing = rules.standingOf(row)
  const isOverdue = standing === "waiting_for_medusa" && rules.isTimeOver(row, now)

  const meaning = rules.meaningOf(read.status, statuses)
  switch (meaning) {
    case "paid": {
      const decision = afterHandling(row, read, decidePaid(row, read, medusa))
      return { ...decision, late: isLate(row, now), isMoney: true }
    }
    case "pending":
      // A stale read must not undo what an earlier one proved. After the time to pay, `pending` is hardly
      // stale, and no order would be placed for the money any more, so a person is asked.
      if (wasPaid) return isOverdue ? reversed(row, read) : unchanged(row)
      if (rules.isClosed(row.state) || isPastExpiry(row, now)) {
        return closed(row.state === "canceled" ? "canceled" : "expired", situation)
      }
      return waitingForMoney(situation)
    case "canceled":
    case "expired":
      return wasPaid ? reversed(row, read) : closed(meaning, situation)
    case "reversed":
      return wasPaid ? reversed(row, read) : { ...closed("canceled", situation), ...reversal(read) }
    case "unknown": {
      // An exception about the money itself stays. `completion_failed` gives way: the order is not tried again until an option
      // lists the status.
      const isInOrder = standing === "waiting_for_medusa" || standing === "settled"
      const kept = isInOrder ? null : unchanged(row).exception
      const differences: Difference[] = [{ what: "unlisted_status", status: read.status }]
      return { ...unchanged(row), exception: kept ?? "unknown_status", differences }
    }
  }
}

/** Core may place an order before its payment only while cart, session and transaction have the same sum. */
function waitingForMoney({ row, medusa, placement }: Situation): Decision {
  const waiting: Decision = { ...unchanged(row), state: "pending", sessionStatus: "pending" }
  if (medusaMismatch(row, medusa)) return { ...waiting, isOutdated: true }
  return placement === "before_payment"
    ? { ...waiting, sessionStatus: "pending_authorization" }
    : waiting
}

/** An exception with its differences, or the action in Medusa. */
type Finding = Partial<Pick<Decision, "exception" | "differences" | "action">>

type Paid = Omit<Decision, "late" | "isMoney">

function decidePaid(row: Transaction, read: TransactionRead, medusa: SessionState | null): Paid {
  if (row.handled_at) return { ...unchanged(row), state: "paid", sessionStatus: "pending" }
  const mismatch = transactionMismatch(row, read) ?? medusaMismatch(row, medusa)
  if (mismatch) return paid(mismatch)
  if (isComplete(medusa)) return paid(planPaid(row, medusa))
  const taken = medusa?.order && !medusa.cart ? orderMismatch(row, medusa.order) : null
  if (taken) return paid(taken)
  return { ...paid({}), exception: rules.isFoundInMedusa(row.exception) ? row.exception : null }
}

function paid({ exception = null, differences = [], action = NOTHING }: Finding): Paid {
  const sessionStatus = exception ? "pending" : "captured"
  return { state: "paid", exception, differences, sessionStatus, action }
}

/** A person is asked again when the money is another one than they took care of. Without `handled_at`, another exception goes first. */
function afterHandling(row: Transaction, read: TransactionRead, decision: Paid): Paid {
  const changed = changedSinceHandled(row, read)
  if (changed) {
    return row.handled_at || !decision.exception
      ? { ...decision, exception: "changed_since_handled", differences: [changed] }
      : decision
  }
  // The service again says the same as when the person took care of the money, so a reversal or change since then is over.
  const isOver = decision.exception === "reversed" || decision.exception === "changed_since_handled"
  return isOver && row.handled ? { ...decision, exception: null } : decision
}

function changedSinceHandled(row: Transaction, read: TransactionRead): Difference | null {
  if (row.handled?.as === "reversed") return { what: "paid_since_handled" }
  // Money that a payout pays back is handled without a sum of its own: the person saw the last one that was read.
  const amount = row.handled?.amount ?? (row.handled_at ? row.read_amount : null)
  if (amount === null) return null
  const sums = {
    read: { amount: read.amount, currency: read.currency },
    handled: { amount, currency: row.handled?.currency ?? read.currency },
  }
  if (read.currency.toUpperCase() !== sums.handled.currency.toUpperCase()) {
    return { what: "currency_since_handled", ...sums }
  }
  return compareSums(read.amount, amount) === 0 ? null : { what: "amount_since_handled", ...sums }
}

/** A decline does not cancel an order that was placed before its payment: until the time to pay is over, the shopper may pay again. */
function closed(state: "canceled" | "expired", { row, medusa, now }: Situation): Decision {
  const action = isComplete(medusa) ? planClosed(row, medusa, now) : NOTHING
  return { ...unchanged(row), state, exception: null, sessionStatus: "canceled", action }
}

function reversal(read: TransactionRead): Pick<Decision, "exception" | "differences"> {
  return { exception: "reversed", differences: [{ what: "reversed", status: read.status }] }
}

/** Medusa's records stay as they are until a person has looked. */
function reversed(row: Transaction, read: TransactionRead): Decision {
  return { ...unchanged(row), ...reversal(read) }
}

const NOT_READ_YET: rules.TransactionState[] = ["creating", "refused", "unknown"]

function unchanged(row: Transaction): Decision {
  return {
    late: false,
    isMoney: false,
    state: NOT_READ_YET.includes(row.state) ? "pending" : row.state,
    exception: row.state === "paid" ? row.exception : null,
    differences: [],
    sessionStatus: rules.isClosed(row.state) ? "canceled" : "pending",
    action: NOTHING,
  }
}

/** The moment of the first read that shows the payment decides, because the service does not say when the money moved. */
const isLate = ({ state, expires_at }: Transaction, now: Date) =>
  rules.isClosed(state) || (state !== "paid" && expires_at !== null && now > expires_at)

/** A transaction to which the service gave no time to pay stays open, unless an order waits for it. */
function isPastExpiry(row: Transaction, now: Date): boolean {
  const isAwaited = row.deferred_at !== null || row.order_id !== null
  return (row.expires_at !== null || isAwaited) && rules.isTimeOver(row, now)
}

function planPaid(row: Transaction, medusa: MedusaState): Finding {
  const { session, payment, otherPayment, cart, order } = medusa
  const orderId = order?.id ?? null
  if (payment?.isCanceled) {
    return finding("payment_canceled", { what: "payment_canceled", payment: payment.id })
  }
  if (isTargetGone(row, medusa) && !(payment?.isCaptured && row.settled_at)) {
    return finding(
      "session_gone",
      row.order_id === null ? { what: "target_gone" } : { what: "order_gone", order: row.order_id }
    )
  }
  if (payment && (order || !cart)) {
    if (payment.isCaptured && row.settled_at) return { action: NOTHING }
    // This includes a captured payment whose row is not settled: `capture` then does only the missing part.
    return order?.isCanceled && !payment.isCaptured
      ? finding("order_canceled", { what: "order_canceled", order: order.id })
      : { action: { do: "capture", paymentId: payment.id, orderId, isEven: isEven(order, 0) } }
  }
  if (otherPayment && (order || !cart)) {
    const what = otherPayment.isCaptured ? "other_payment" : "promised_otherwise"
    return finding("paid_twice", { what, payment: otherPayment.id, order: orderId })
  }
  const taken = order && orderMismatch(row, order)
  if (taken && order.isCanceled) return taken
  if (!session) {
    return cart && !order && isAsAskedFor(row, cart)
      ? { action: { do: "adopt", amount: toDecimalText(cart.total), currency: cart.currency } }
      : finding("session_gone", { what: "session_gone" })
  }
  if (taken) return taken
  const paying = { sessionId: session.id, reopenSession: isClosedSession(session.status) }
  if (cart && !order) {
    const worth = { cartId: cart.id, cartTotal: toDecimalText(cart.total) }
    return { action: { do: "place_order", ...worth, ...paying } }
  }
  const even = isEven(order, row.accepted?.amount ?? row.amount)
  return { action: { do: "authorize", orderId, isEven: even, ...paying } }
}

function planClosed(row: Transaction, { session, payment, order }: MedusaState, now: Date): Action {
  if (session && !payment && !isClosedSession(session.status)) {
    return { do: "cancel_session", sessionId: session.id }
  }
  if (!order?.unpaid || order.isCanceled || !rules.isTimeOver(row, now)) return NOTHING
  return order.unpaid === "cancel"
    ? { do: "cancel_order", orderId: order.id }
    : { do: "report_order", orderId: order.id, owed: toDecimalText(order.owed) }
}

/** Whether cart or order was deleted, or the payment collection was unlinked from its order: captured money would belong to nothing. */
function isTargetGone(
  row: Pick<Transaction, "cart_id" | "order_id">,
  { cart, order }: Pick<MedusaState, "cart" | "order">
): boolean {
  return !order && (row.order_id !== null || (row.cart_id !== null && !cart))
}

/** Why the order cannot take this payment any more, or null. An accepted one may be more than is owed, but something must be owed. */
function orderMismatch(row: Transaction, order: Order): Finding | null {
  if (order.isCanceled)
    return finding("order_canceled", { what: "order_canceled", order: order.id })
  if (compareSums(order.owed, 0) > 0) {
    if (row.accepted !== null || compareSums(order.owed, row.amount) >= 0) return null
    const owed = { amount: order.owed.toString(), currency: row.currency }
    return finding("session_differs", { what: "order_owed", order: order.id, owed })
  }
  const isPromised = compareSums(order.promised, 0) > 0
  const isPaid = order.paidAt !== null && order.paidAt > row.opened_at
  return finding("paid_twice", {
    what: isPaid ? "order_paid" : isPromised ? "promised_otherwise" : "nothing_owed",
    order: order.id,
  })
}

/**
 * The right sum for the same cart is an order, whichever of the cart's attempts was paid. Once a person was asked, they decide, even
 * if the cart is as before again: they may be paying the money back. A sum that a person accepted has a session.
 */
function isAsAskedFor(row: Transaction, cart: NonNullable<MedusaState["cart"]>): boolean {
  const isSame =
    compareSums(cart.total, row.amount) === 0 && cart.currency.toUpperCase() === row.currency
  const isAsked = row.exception !== null && row.exception !== "completion_failed"
  return isSame && !isAsked && row.accepted === null
}

const isEven = (order: Order | null, amount: AmountInput) =>
  order === null || isSameButForDigits(order.owed, amount)

function finding(exception: TransactionException, difference: Difference): Finding {
  return { exception, differences: [difference] }
}

/** The differences between the service's description and our request, or null; the exception names the first of them. */
function transactionMismatch(row: Transaction, read: TransactionRead): Finding | null {
  const { merchantId, payload, amount, currency } = read
  const found: [TransactionException, Difference][] = []
  if (!rules.isSameMerchant(merchantId, row.merchant_id)) {
    found.push(["merchant_differs", { what: "merchant", read: merchantId, ours: row.merchant_id }])
  }
  if (read.payload !== row.id) {
    found.push([
      "reference_differs",
      { what: "reference", isNamed: Boolean(payload), ours: row.id },
    ])
  }
  if (currency.toUpperCase() !== row.currency.toUpperCase()) {
    found.push(["currency_differs", { what: "currency", read: currency, asked: row.currency }])
  }
  const wanted = wantedSum(row)
  const order = compareSums(amount, wanted.amount)
  if (order !== 0) {
    const sum = { amount, currency }
    found.push([
      order < 0 ? "amount_less" : "amount_more",
      row.accepted
        ? { what: "accepted_amount", read: sum, accepted: wanted }
        : { what: "amount", read: sum, asked: wanted },
    ])
  }
  const [first] = found
  return first ? { exception: first[0], differences: found.map(([, each]) => each) } : null
}

export function medusaMismatch(row: Transaction, medusa: SessionState | null): Finding | null {
  const { session = null, cart = null } = medusa ?? {}
  if (!session) return null
  const transaction = wantedSum(row)
  const is = sumOf(session.amount, session.currency)
  if (!isSameSum(is, transaction)) {
    return finding("session_differs", { what: "session_sum", session: session.id, is, transaction })
  }
  const isPlaced = isComplete(medusa) && medusa.order !== null
  if (!cart || isPlaced) return null
  const ofCart = { cart: cart.id, is: sumOf(cart.total, cart.currency) }
  // When a person accepted the payment, the cart must still be worth what they saw then.
  const accepted = row.accepted?.cart_total && sumOf(row.accepted.cart_total, session.currency)
  if (isSameSum(ofCart.is, accepted || is)) return null
  return finding(
    "cart_changed",
    accepted
      ? { what: "accepted_cart_total", ...ofCart, accepted }
      : { what: "cart_total", ...ofCart, session: is }
  )
}

const wantedSum = ({ accepted, amount, currency }: Transaction) =>
  sumOf(accepted?.amount ?? amount, currency)

function sumOf(amount: AmountInput, currency: string): Sum {
  return { amount: amount.toString(), currency: currency.toUpperCase() }
}

const isSameSum = (left: Sum, right: Sum) =>
  compareSums(left.amount, right.amount) === 0 && left.currency === right.currency

/** Whether core, when it completes a cart with such a session, asks us whether it is paid. */
export const isOpenSession = (status: string) => status === "pending" || status === "requires_more"

/** Whether core can neither complete a cart with such a session nor authorize it any more. */
export const isClosedSession = (status: string) => status === "canceled" || status === "error"
