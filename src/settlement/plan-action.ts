import { type AmountInput, compareSums, isSameButForDigits, toDecimalText } from "./amount"
import { isTargetGone, type MedusaState } from "./evidence"
import type { Mismatch } from "./mismatch"
import type { Difference } from "./problems/reasons"
import { isClosedSession } from "./session-status"
import { isTimeOver } from "./time-to-pay"
import type { Transaction } from "./transaction"
import type { TransactionException } from "./transaction-state"

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
export function planPaid(
  row: Transaction,
  medusa: MedusaState
): { action: Action } & Partial<Mismatch> {
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
  return { action: cart && !order ? placeOrder(cart, session) : authorize(row, order, session) }
}

/** The action in Medusa for a transaction that is over without money. */
export function planClosed(
  row: Transaction,
  { session, payment, order }: MedusaState,
  now: Date
): Action {
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
export function orderMismatch(
  row: Transaction,
  order: NonNullable<MedusaState["order"]>
): ReturnType<typeof problem> | null {
  if (order.canceled) {
    return order.copiedFor === null || order.copiedFor === row.id
      ? problem("order_canceled", { what: "order_canceled", order: order.id })
      : problem("paid_twice", { what: "order_copied", order: order.id })
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

function authorize(
  row: Transaction,
  order: MedusaState["order"],
  session: { id: string; status: string }
): Action {
  return {
    do: "authorize",
    sessionId: session.id,
    orderId: order?.id ?? null,
    isEven: isEven(order, row.accepted?.amount ?? row.amount),
    reopenSession: isClosedSession(session.status),
  }
}

function isEven(order: MedusaState["order"], amount: AmountInput): boolean {
  return order === null || isSameButForDigits(order.owed, amount)
}

function problem(exception: TransactionException, difference: Difference) {
  return { action: NOTHING, exception, differences: [difference] }
}
