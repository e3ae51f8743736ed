import type { Difference } from "../../problems/rules/reasons"
import {
  type AmountInput,
  compareSums,
  isSameButForDigits,
  toDecimalText,
} from "../../values/amount"
import {
  isClosedSession,
  isComplete,
  isTargetGone,
  medusaMismatch,
  type MedusaState,
  type Mismatch,
  type SessionState,
  transactionMismatch,
  type TransactionRead,
} from "./evidence"
import {
  isClosed,
  isFoundInMedusa,
  isTimeOver,
  meaningOf,
  standingOf,
  type StatusNames,
  type Transaction,
  type TransactionException,
  type TransactionState,
} from "./transaction"

/** When Medusa places the order: after the money came, or before (`orderPlacement`). */
export type OrderPlacement = "after_payment" | "before_payment"

export interface Decision {
  state: TransactionState
  exception: TransactionException | null
  /** The differences; none when all is in order. */
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

const NOT_READ_YET = new Set<TransactionState>(["creating", "refused", "unknown"])

/**
 * The one place that decides what a read of a transaction means. It is pure, so deciding twice, late or in another process changes
 * nothing. When `medusa` is null or not complete, only what is given is judged, and the action is `nothing`. Nothing is paid until
 * the service says so in full: a status from the configured paid list, our merchant, reference, currency and amount.
 */
export function decide(input: {
  row: Transaction
  read: TransactionRead
  medusa: MedusaState | SessionState | null
  statuses: StatusNames
  now: Date
  /** Concerns only carts that are not orders yet; `after_payment` by default. */
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
      // A stale read must not undo what an earlier one proved. After the time to pay, `pending` is hardly
      // stale, and no order would be placed for the money any more, so a person is asked.
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
        // An exception about the money itself stays. `completion_failed` gives way: the order is not tried
        // again until an option lists the status.
        exception:
          (standing === "waiting_for_medusa" || standing === "settled"
            ? null
            : unchanged(row).exception) ?? "unknown_status",
        differences: [{ what: "unlisted_status", status: read.status }],
      }
  }
}

/** Core may place an order before its payment only while cart, session and transaction have the same sum. */
function waitingForMoney(
  row: Transaction,
  medusa: MedusaState | SessionState | null,
  placement: OrderPlacement
): Decision {
  const waiting: Decision = { ...unchanged(row), state: "pending", sessionStatus: "pending" }
  if (medusaMismatch(row, medusa)) return { ...waiting, isOutdated: true }
  return placement === "before_payment"
    ? { ...waiting, sessionStatus: "pending_authorization" }
    : waiting
}

function decidePaid(
  row: Transaction,
  read: TransactionRead,
  medusa: MedusaState | SessionState | null
): Omit<Decision, "late" | "isMoney"> {
  if (row.handled_at) return { ...unchanged(row), state: "paid", sessionStatus: "pending" }
  const mismatch = transactionMismatch(row, read) ?? medusaMismatch(row, medusa)
  if (mismatch) return paid(mismatch)
  if (isComplete(medusa)) return paid(planPaid(row, medusa))
  const taken = medusa?.order && !medusa.cart ? orderMismatch(row, medusa.order) : null
  if (taken) return paid(taken)
  return { ...paid({}), exception: isFoundInMedusa(row.exception) ? row.exception : null }
}

/** Paid; Medusa is told so unless there is an exception. */
function paid({
  exception = null,
  differences = [],
  action = NOTHING,
}: Partial<Pick<Decision, "exception" | "differences" | "action">>) {
  const sessionStatus = exception ? ("pending" as const) : ("captured" as const)
  return { state: "paid" as const, exception, differences, sessionStatus, action }
}

/**
 * Asks a person again (`changed_since_handled`) when the service says something else about the money than
 * when they took care of it. While the row has no `handled_at`, another exception of the decision goes first.
 */
function afterHandling<T extends Pick<Decision, "exception" | "differences">>(
  row: Transaction,
  read: TransactionRead,
  decision: T
): T {
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

/** How the money differs from the state that a person saw when they took care of it, or null. */
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

/**
 * A decline does not cancel an order that was placed before its payment: until the time to pay is over, the
 * shopper may pay again.
 */
function closed(
  state: "canceled" | "expired",
  row: Transaction,
  medusa: MedusaState | SessionState | null,
  now: Date
): Decision {
  const action = isComplete(medusa) ? planClosed(row, medusa, now) : NOTHING
  return { ...unchanged(row), state, exception: null, sessionStatus: "canceled", action }
}

function reversal(read: TransactionRead): Pick<Decision, "exception" | "differences"> {
  return { exception: "reversed", differences: [{ what: "reversed", status: read.status }] }
}

/** The service no longer confirms a payment: Medusa's records stay as they are until a person has looked. */
function reversed(row: Transaction, read: TransactionRead): Decision {
  return { ...unchanged(row), ...reversal(read) }
}

function unchanged(row: Transaction): Decision {
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

/** The moment of the first read that shows the payment decides, because the service does not say when the money moved. */
function isLate(row: Transaction, now: Date): boolean {
  return (
    row.state !== "paid" &&
    (isClosed(row.state) || (row.expires_at !== null && now > row.expires_at))
  )
}

/** A transaction to which the service gave no time to pay stays open, unless an order waits for it. */
function isPastExpiry(row: Transaction, now: Date): boolean {
  const isAwaited = row.deferred_at !== null || row.order_id !== null
  return (row.expires_at !== null || isAwaited) && isTimeOver(row, now)
}

/** The one thing to do in Medusa now. */
export type Action =
  | { do: "nothing" }
  /** Complete the cart, then capture; `reopenSession` when the session was closed before the money came. */
  | {
      do: "place_order"
      cartId: string
      /** The worth of the order; decimal text. */
      cartTotal: string
      sessionId: string
      reopenSession: boolean
    }
  /** Give the payment a new session in its cart, which is as it was; amount and currency are the cart's. */
  | { do: "adopt"; amount: string; currency: string }
  /** Authorize the session of an order (or of a collection without an order), then capture. */
  | {
      do: "authorize"
      sessionId: string
      orderId: string | null
      /** The order is then paid exactly. */
      isEven: boolean
      reopenSession: boolean
    }
  /** Book the capture on the order, if there is one, and emit `payment.captured`. */
  | { do: "capture"; paymentId: string; orderId: string | null; isEven: boolean }
  | { do: "cancel_session"; sessionId: string }
  /** Cancel an order that was placed before its payment and whose time to pay is over. */
  | { do: "cancel_order"; orderId: string }
  /** Report an order of which only a part was paid, or that was placed without the promise of a payment: a person decides. */
  | { do: "report_order"; orderId: string; owed: string }

export const NOTHING: Action = { do: "nothing" }

/** The action in Medusa for a proven payment, or the exception in Medusa's state. */
function planPaid(row: Transaction, medusa: MedusaState): { action: Action } & Partial<Mismatch> {
  const { session, payment, otherPayment, cart, order } = medusa
  if (payment?.canceled) {
    return problem("payment_canceled", { what: "payment_canceled", payment: payment.id })
  }
  if (isTargetGone(row, medusa) && !(payment?.captured && row.settled_at)) {
    return problem(
      "session_gone",
      row.order_id === null ? { what: "target_gone" } : { what: "order_gone", order: row.order_id }
    )
  }
  if (payment && (order || !cart)) {
    if (payment.captured && row.settled_at) return { action: NOTHING }
    // This includes a captured payment whose row is not settled: `capture` then does only the missing part.
    return order?.canceled && !payment.captured
      ? problem("order_canceled", { what: "order_canceled", order: order.id })
      : {
          action: {
            do: "capture",
            paymentId: payment.id,
            orderId: order?.id ?? null,
            isEven: isEven(order, 0),
          },
        }
  }
  if (otherPayment && (order || !cart)) {
    return problem("paid_twice", {
      what: otherPayment.captured ? "other_payment" : "promised_otherwise",
      payment: otherPayment.id,
      order: order?.id ?? null,
    })
  }
  const taken = order && orderMismatch(row, order)
  if (taken && order.canceled) return taken
  if (!session) {
    return cart && !order && isAsAskedFor(row, cart)
      ? { action: { do: "adopt", amount: toDecimalText(cart.total), currency: cart.currency } }
      : problem("session_gone", { what: "session_gone" })
  }
  if (taken) return taken
  const paying = { sessionId: session.id, reopenSession: isClosedSession(session.status) }
  if (cart && !order) {
    const worth = { cartId: cart.id, cartTotal: toDecimalText(cart.total) }
    return { action: { do: "place_order", ...worth, ...paying } }
  }
  const even = isEven(order, row.accepted?.amount ?? row.amount)
  return { action: { do: "authorize", orderId: order?.id ?? null, isEven: even, ...paying } }
}

/** The action in Medusa for a transaction that is over without money. */
function planClosed(row: Transaction, { session, payment, order }: MedusaState, now: Date): Action {
  if (session && !payment && !isClosedSession(session.status)) {
    return { do: "cancel_session", sessionId: session.id }
  }
  if (!order?.unpaid || order.canceled || !isTimeOver(row, now)) return NOTHING
  return order.unpaid === "cancel"
    ? { do: "cancel_order", orderId: order.id }
    : { do: "report_order", orderId: order.id, owed: toDecimalText(order.owed) }
}

/**
 * Why the order cannot take this payment any more, or null when it can. A payment that a person accepted may
 * be more than is owed, but something must be owed.
 */
function orderMismatch(
  row: Transaction,
  order: NonNullable<MedusaState["order"]>
): ReturnType<typeof problem> | null {
  if (order.canceled) {
    return problem("order_canceled", { what: "order_canceled", order: order.id })
  }
  if (compareSums(order.owed, 0) > 0) {
    return row.accepted !== null || compareSums(order.owed, row.amount) >= 0
      ? null
      : problem("session_differs", {
          what: "order_owed",
          order: order.id,
          owed: { amount: order.owed.toString(), currency: row.currency },
        })
  }
  const isPromised = compareSums(order.promised, 0) > 0
  const isPaid = order.paidAt !== null && order.paidAt > row.opened_at
  return problem("paid_twice", {
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

function isEven(order: MedusaState["order"], amount: AmountInput): boolean {
  return order === null || isSameButForDigits(order.owed, amount)
}

function problem(exception: TransactionException, difference: Difference) {
  return { action: NOTHING, exception, differences: [difference] }
}
