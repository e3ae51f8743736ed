import { compareAmounts, toDecimalText, toWireAmount } from "./amount"
import {
  type ExpectedTransaction,
  isTargetGone,
  isWhole,
  type MedusaState,
  type SessionState,
  type TransactionRead,
} from "./evidence"
import { medusaMismatch, transactionMismatch } from "./mismatch"
import { isClosedSession } from "./session-status"
import { standingOf } from "./standing"
import { isTimeOver } from "./time-to-pay"
import {
  isClosed,
  isFoundInMedusa,
  type TransactionException,
  type TransactionState,
} from "./transaction-state"
import { meaningOf, type StatusNames } from "./transaction-status"

/** When Medusa places the order: after the money came, or before (`orderPlacement`). */
export type OrderPlacement = "after_payment" | "before_payment"

/** The one thing to do in Medusa now. */
export type Action =
  | { do: "nothing" }
  /** Complete the cart, then capture; `reopenSession` when the session was closed before the money came. */
  | {
      do: "place_order"
      cartId: string
      /** What the order will be worth; decimal text. */
      cartTotal: string
      sessionId: string
      reopenSession: boolean
    }
  /** Authorize the session of an order (or of a collection on its own), then capture. */
  | { do: "authorize"; sessionId: string; orderId: string | null; reopenSession: boolean }
  /** Book the capture on the order, if there is one, and tell the world. */
  | { do: "capture"; paymentId: string; orderId: string | null }
  | { do: "cancel_session"; sessionId: string }
  /** An order that was placed before its payment, and whose time to pay is over. */
  | { do: "cancel_order"; orderId: string }
  /** An order that waits for money without anybody having promised any: a person decides. */
  | { do: "report_order"; orderId: string }

export interface Decision {
  state: TransactionState
  exception: TransactionException | null
  /** What differs, in words for a log line or a dashboard; empty when all is in order. */
  differences: string[]
  /** What `authorizePayment` and `getPaymentStatus` answer to Medusa. */
  sessionStatus: "captured" | "pending" | "pending_authorization" | "canceled"
  /** Paid, and first seen to be after its time or after a cancellation. */
  late: boolean
  /** The read itself says that money came, in full or not. */
  isMoney: boolean
  /** Not paid yet, and what it was opened for is worth another sum by now: nothing may be promised on it. */
  isOutdated?: true
  action: Action
}

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
  const standing = standingOf(row)

  switch (meaningOf(read.status, statuses)) {
    case "paid":
      return {
        ...afterHandling(row, read, decidePaid(row, read, medusa)),
        late: isLate(row, now),
        isMoney: true,
      }

    case "pending":
      // A stale read must not take back what an earlier one proved. One that comes after the time to pay is
      // hardly stale: nothing would be done about the money any more, so a person is asked.
      if (wasPaid) {
        return standing === "waiting_for_medusa" && isTimeOver(row, now)
          ? reversed(row, read)
          : unchanged(row)
      }
      if (isClosed(row.state) || isPastExpiry(row, now)) {
        return closed(row.state === "canceled" ? "canceled" : "expired", row, medusa, now)
      }
      return waitingForMoney(row, medusa, placement)

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
        exception:
          (standing === "waiting_for_medusa" || standing === "settled"
            ? null
            : unchanged(row).exception) ?? "unknown_status",
        differences: [`status "${read.status}" is in none of the configured lists`],
      }
  }
}

/** An order is placed on the promise of a payment only while cart, session and transaction are of one sum. */
function waitingForMoney(
  row: ExpectedTransaction,
  medusa: MedusaState | SessionState | null,
  placement: OrderPlacement
): Decision {
  const waiting: Decision = { ...unchanged(row), state: "pending", sessionStatus: "pending" }
  if (medusaMismatch(row, medusa)) {
    return { ...waiting, isOutdated: true }
  }
  return placement === "before_payment"
    ? { ...waiting, sessionStatus: "pending_authorization" }
    : waiting
}

function decidePaid(
  row: ExpectedTransaction,
  read: TransactionRead,
  medusa: MedusaState | SessionState | null
): Omit<Decision, "late" | "isMoney"> {
  if (row.handled_at) {
    return { ...unchanged(row), state: "paid", sessionStatus: "pending" }
  }
  const mismatch = transactionMismatch(row, read) ?? medusaMismatch(row, medusa)
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
    const taken = medusa?.order && !medusa.cart ? orderMismatch(row, medusa.order) : null
    return {
      state: "paid",
      exception: taken?.exception ?? (isFoundInMedusa(row.exception) ? row.exception : null),
      differences: taken ? [taken.difference] : [],
      sessionStatus: taken ? "pending" : "captured",
      action: NOTHING,
    }
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

/**
 * A person took care of the money when it was another sum, or when the service had taken it back: they are
 * asked again, unless something else is said anyway.
 */
function afterHandling<T extends Pick<Decision, "exception" | "differences">>(
  row: ExpectedTransaction,
  read: TransactionRead,
  decision: T
): T {
  const changed = changedSinceHandled(row, read)
  if (changed) {
    return row.handled_at || !decision.exception
      ? { ...decision, exception: "changed_since_handled", differences: [changed] }
      : decision
  }
  // The money stands as it was taken care of: nothing that was said in between is true any more.
  const isOver = decision.exception === "reversed" || decision.exception === "changed_since_handled"
  return isOver && row.handled_as ? { ...decision, exception: null } : decision
}

/** In words, or null when a person saw the same. */
function changedSinceHandled(row: ExpectedTransaction, read: TransactionRead): string | null {
  if (row.handled_as === "reversed") {
    return "paid by now, taken back when a person took care of it"
  }
  // Before it was written down, the last sum that was read stood for it.
  const amount = row.handled_amount ?? (row.handled_at ? row.read_amount : null)
  if (amount === null) {
    return null
  }
  const currency = row.handled_currency ?? read.currency
  if (read.currency.toUpperCase() !== currency.toUpperCase()) {
    return `${read.amount} ${read.currency}, ${amount} ${currency} when a person took care of it`
  }
  return compareAmounts(read.amount, amount) === 0
    ? null
    : `amount ${read.amount}, ${amount} when a person took care of it`
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
      : { action: { do: "capture", paymentId: payment.id, orderId: order?.id ?? null } }
  }
  if (otherPayment && (order || !cart)) {
    const subject = order ? `order ${order.id}` : "its payment collection"
    return problem("paid_twice", `${subject} has payment ${otherPayment.id}`)
  }
  if (!session) {
    return problem("session_gone", "its payment session was deleted or replaced")
  }
  const taken = order && orderMismatch(row, order)
  if (taken) {
    return problem(taken.exception, taken.difference)
  }
  return { action: cart && !order ? placeOrder(cart, session) : authorize(order, session) }
}

/** Can the order still take this payment? What a person accepted may be more than the order is owed, but not all of it. */
function orderMismatch(
  row: ExpectedTransaction,
  order: NonNullable<MedusaState["order"]>
): { exception: TransactionException; difference: string } | null {
  if (order.canceled) {
    return { exception: "order_canceled", difference: `order ${order.id} is canceled` }
  }
  const owed = toWireAmount(order.owed)
  const isOwed = compareAmounts(owed, "0") > 0
  if (isOwed && (row.accepted_amount !== null || compareAmounts(owed, row.amount) >= 0)) {
    return null
  }
  return {
    exception: isOwed ? "session_differs" : "paid_twice",
    difference: `order ${order.id} is owed ${order.owed.toString()} by now`,
  }
}

function placeOrder(
  cart: NonNullable<MedusaState["cart"]>,
  session: { id: string; status: string }
): Action {
  return {
    do: "place_order",
    cartId: cart.id,
    cartTotal: toDecimalText(cart.total),
    sessionId: session.id,
    reopenSession: isClosedSession(session.status),
  }
}

function authorize(order: MedusaState["order"], session: { id: string; status: string }): Action {
  return {
    do: "authorize",
    sessionId: session.id,
    orderId: order?.id ?? null,
    reopenSession: isClosedSession(session.status),
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
    isMoney: false,
    action: isWhole(medusa) ? planClosed(row, medusa, now) : NOTHING,
  }
}

function planClosed(
  row: ExpectedTransaction,
  { session, payment, order }: MedusaState,
  now: Date
): Action {
  if (session && !payment && !isClosedSession(session.status)) {
    return { do: "cancel_session", sessionId: session.id }
  }
  if (!order || order.canceled || !isTimeOver(row, now)) {
    return NOTHING
  }
  if (order.unpaid) {
    return { do: "cancel_order", orderId: order.id }
  }
  return order.leftUnpaid ? { do: "report_order", orderId: order.id } : NOTHING
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
    isMoney: false,
    state: NOT_READ_YET.has(row.state) ? "pending" : row.state,
    exception: row.state === "paid" ? row.exception : null,
    differences: [],
    sessionStatus: isClosed(row.state) ? "canceled" : "pending",
    action: NOTHING,
  }
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
