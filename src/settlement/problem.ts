import { causeOfStatus, causeOfTransaction, causeOfUnpaidOrder } from "./cause"
import type { TransactionException, TransactionState } from "./transaction-state"

/** What can be wrong with money or an order, so that a person must look. */
export const PROBLEM_KINDS = [
  /** Paid in full, and Medusa refused to place the order however often it was tried. */
  "paid_without_order",
  /** Paid after its session was deleted or replaced, or after the cart became worth another sum. */
  "paid_after_change",
  /** Paid after its time or after a cancellation, and there is nothing left that it could pay for. */
  "paid_late",
  /** The cart, or its order, has been paid by something else already. */
  "paid_twice",
  "amount_less",
  "amount_more",
  "currency_differs",
  /** The service names another merchant or another reference for one of our transactions. */
  "not_ours",
  /** One per status name: its meaning is missing in the options. */
  "unknown_status",
  /** The service took back what it had confirmed and what Medusa captured. */
  "reversed",
  /** A person took care of the money, and the service says another thing of it by now. */
  "changed_since_handled",
  /** An order was canceled, or a refund was asked for, and the money has not gone back. */
  "refund_due",
  /** Placed before its payment, whose time is over; it was not canceled. */
  "order_unpaid",
  /** Money was taken for it, and less than it is worth, without anybody having accepted that. */
  "order_underpaid",
  /** Found by reconciliation: the service has a payment that this store does not know. */
  "payment_not_here",
  /** Found by reconciliation: Medusa holds a payment that the service does not have. */
  "payment_not_there",
  /** Found by reconciliation: the service's list says one thing, its single answer another. */
  "records_differ",
  "callback_parked",
  "callback_unreadable",
  "service_unreachable",
  "credentials_refused",
  /** Opened at an address, or for a merchant, that no account of the options has any more: not polled. */
  "not_configured",
] as const
export type ProblemKind = (typeof PROBLEM_KINDS)[number]

/** How a problem ended: by itself, or by what an admin did. */
export const PROBLEM_RESOLUTIONS = ["settled", "accepted", "refunded_outside", "handled"] as const
export type ProblemResolution = (typeof PROBLEM_RESOLUTIONS)[number]

/**
 * What an admin can do about a problem.
 *
 * - `retry`: settle the transaction again
 * - `place_order`: take the payment for the cart as it is now, or for a new order like the canceled one
 * - `accept_amount`: take what was paid instead of what was asked for
 * - `refunded_outside`: the money went back by another way; books the refund if Medusa holds the payment
 * - `handle`: it was taken care of, with a note
 */
export const PROBLEM_ACTIONS = [
  "retry",
  "place_order",
  "accept_amount",
  "refunded_outside",
  "handle",
] as const
export type ProblemAction = (typeof PROBLEM_ACTIONS)[number]

const ACTIONS: Record<ProblemKind, ProblemAction[]> = {
  paid_without_order: ["retry", "place_order", "refunded_outside", "handle"],
  paid_after_change: ["retry", "place_order", "refunded_outside", "handle"],
  paid_late: ["retry", "place_order", "refunded_outside", "handle"],
  paid_twice: ["retry", "refunded_outside", "handle"],
  amount_less: ["retry", "accept_amount", "refunded_outside", "handle"],
  amount_more: ["retry", "accept_amount", "refunded_outside", "handle"],
  // Medusa can book nothing in another currency.
  currency_differs: ["retry", "handle"],
  not_ours: ["retry", "handle"],
  unknown_status: ["retry", "handle"],
  reversed: ["retry", "refunded_outside", "handle"],
  changed_since_handled: ["retry", "refunded_outside", "handle"],
  refund_due: ["refunded_outside", "handle"],
  order_unpaid: ["retry", "handle"],
  order_underpaid: ["retry", "handle"],
  payment_not_here: ["handle"],
  payment_not_there: ["retry", "handle"],
  records_differ: ["retry", "handle"],
  callback_parked: ["retry", "handle"],
  callback_unreadable: ["handle"],
  service_unreachable: ["retry", "handle"],
  credentials_refused: ["handle"],
  not_configured: ["handle"],
}

/** @param hasTransaction whether it is about one transaction; without one, nothing but a status can be looked at again */
export function actionsFor(kind: ProblemKind, hasTransaction = true): ProblemAction[] {
  return hasTransaction || kind === "unknown_status"
    ? ACTIONS[kind]
    : ACTIONS[kind].filter((action) => action === "handle")
}

/** Our row, as far as a problem can be read from it. Amounts are decimal text. */
export interface TroubledTransaction {
  id: string
  state: TransactionState
  exception: TransactionException | null
  exception_reason: string | null
  status: string | null
  merchant_id: string
  amount: string
  currency: string
  read_amount: string | null
  read_currency: string | null
  paid_late: boolean
  apply_attempts: number
  cart_id: string | null
  order_id: string | null
}

export interface FoundProblem {
  kind: ProblemKind
  /** What makes it the same problem when it is seen again. */
  cause: string
  message: string
}

/** So often an order is tried before a person is asked: the lock was busy, stock came back. */
export const QUIET_ATTEMPTS = 3

/** The problem that a transaction's row shows, or null when it shows none that a person must look at. */
export function problemOf(row: TroubledTransaction): FoundProblem | null {
  const { exception } = row
  if (!exception || (exception === "completion_failed" && row.apply_attempts <= QUIET_ATTEMPTS)) {
    return null
  }
  if (exception === "unknown_status") {
    return {
      kind: "unknown_status",
      cause: causeOfStatus(row.merchant_id, row.status ?? ""),
      message:
        `The service calls a transaction "${row.status ?? ""}", which none of the options statuses.* names. ` +
        "Until one does, such payments stay pending.",
    }
  }
  return {
    kind: kindOf(exception, row.paid_late),
    cause: causeOfTransaction(row.id),
    message: `${sentence(exception, row)}${row.exception_reason ? ` (${row.exception_reason})` : ""}`,
  }
}

/**
 * An order that was placed before its payment and not paid in time. Medusa refused to cancel it, or it was
 * left as it is, because another way to pay was begun or a person took care of its payment.
 *
 * @param refusal Medusa's reason
 */
export function unpaidOrder(orderId: string, refusal: string | null): FoundProblem {
  const unpaid = `Order ${orderId} was not paid in time`
  return {
    kind: "order_unpaid",
    cause: causeOfUnpaidOrder(orderId),
    message: refusal
      ? `${unpaid}, and Medusa could not cancel it (${refusal})`
      : `${unpaid}. Cancel it, or mark it as paid if it was paid in another way.`,
  }
}

function kindOf(
  exception: Exclude<TransactionException, "unknown_status">,
  late: boolean
): ProblemKind {
  switch (exception) {
    case "completion_failed":
    case "payment_canceled":
      return "paid_without_order"
    case "session_gone":
    case "session_differs":
    case "cart_changed":
      return late ? "paid_late" : "paid_after_change"
    case "order_canceled":
      return "paid_late"
    case "merchant_differs":
    case "reference_differs":
      return "not_ours"
    case "paid_twice":
    case "amount_less":
    case "amount_more":
    case "currency_differs":
    case "reversed":
    case "changed_since_handled":
      return exception
  }
}

function sentence(
  exception: Exclude<TransactionException, "unknown_status">,
  row: TroubledTransaction
): string {
  const asked = `${row.amount} ${row.currency}`
  const came = `${row.read_amount ?? row.amount} ${row.read_currency ?? row.currency}`
  const late = row.paid_late ? " late" : ""
  switch (exception) {
    case "completion_failed":
      return `${came} were paid${late}, but Medusa could not place the order.`
    case "payment_canceled":
      return `${came} were paid${late}, but the payment had been canceled in Medusa.`
    case "session_gone":
      return `${came} were paid${late} after their payment session had been deleted or replaced.`
    case "session_differs":
      return `${came} were paid${late}, but the payment session is for another sum by now.`
    case "cart_changed":
      return `${came} were paid${late} after the cart had changed.`
    case "order_canceled":
      return `${came} were paid after the order had been canceled.`
    case "paid_twice":
      return `${came} were paid${late} for something that another payment had paid already.`
    case "amount_less":
    case "amount_more":
      return `${came} were paid where ${asked} were asked for.`
    case "currency_differs":
      return `${came} were paid where ${asked} were asked for: another currency.`
    case "merchant_differs":
      return `The service names another merchant for a payment of ${came} than the one it was opened for.`
    case "reference_differs":
      return `The service names another reference for a payment of ${came} than the one it was opened with.`
    case "reversed":
      return (
        `The service took back a payment of ${came} that it had confirmed before. Nothing more of it is to ` +
        "be paid back."
      )
    case "changed_since_handled":
      return `${came} were taken care of, and by now the service says another thing of them.`
  }
}
