import type { Difference } from "../../problems/rules/reasons"
import type { Sum } from "../../texts"
import { type AmountInput, compareSums } from "../../values/amount"
import { FRESH_PROOF_MS } from "./timing"
import {
  isSameMerchant,
  isToBeSettled,
  paidSum,
  type Transaction,
  type TransactionException,
} from "./transaction"

/** A transaction as the service described it just now (`GET /transaction/{id}`). */
export interface TransactionRead {
  status: string
  amount: string
  currency: string
  merchantId: string | null
  payload: string | null
}

/**
 * The last read, taken from its row: it is the newest that any process has made, so nobody acts on an older
 * one. The row does not keep a wrong merchant or reference, only the exception; null stands for it here.
 */
export function recordedRead(row: Transaction): TransactionRead {
  return {
    status: row.status ?? "",
    ...paidSum(row),
    merchantId: row.exception === "merchant_differs" ? null : row.merchant_id,
    payload: row.exception === "reference_differs" ? null : row.id,
  }
}

/**
 * A proof of payment that was asked for after this moment is as good as one asked for now, for the watcher and for
 * core's questions while it completes a cart.
 */
export function freshSince(now: Date): Date {
  return new Date(now.getTime() - FRESH_PROOF_MS)
}

/**
 * Whether a read that was asked for at `since` or later has proven the payment in full, and the row is
 * neither settled nor taken care of by a person.
 */
export function isProvenSince(row: Transaction, since: Date): boolean {
  return (
    isToBeSettled(row) && row.settled_at === null && row.read_at !== null && row.read_at >= since
  )
}

/** The records of Medusa for the transaction at the moment of the decision. */
export interface MedusaState {
  session: { id: string; status: string; amount: AmountInput; currency: string } | null
  payment: { id: string; captured: boolean; canceled: boolean } | null
  /** Another payment in the same collection, which Medusa never asks for twice. */
  otherPayment: { id: string; captured: boolean } | null
  cart: { id: string; total: AmountInput; currency: string } | null
  order: {
    id: string
    canceled: boolean
    /**
     * The sum that is still to be paid for it when every payment that Medusa holds counts, captured or promised. Negative when too
     * much was paid.
     */
    owed: AmountInput
    /** The part of it that other payments have promised, for example cash on delivery. */
    promised: AmountInput
    /** When money for it was last booked. */
    paidAt: Date | null
    /**
     * The end of an order to which this transaction brings no money: `cancel` one that was placed on the promise of a payment and
     * got nothing, `tell` of one that got a part, was promised nothing, or may be paid in another way; null when it is paid or one of
     * our payments can still pay it.
     */
    unpaid: "cancel" | "tell" | null
  } | null
}

/**
 * The part of Medusa that is read when core asks us in the middle of its own work: enough to judge by, not to act on. When `cart`
 * is set, core is completing it, and the order that core has just made from it is left out.
 */
export type SessionState = Pick<MedusaState, "session"> &
  Partial<Pick<MedusaState, "cart" | "order">>

/** Whether the state is complete, so that it can be acted on and not only judged. */
export function isComplete(medusa: MedusaState | SessionState | null): medusa is MedusaState {
  return medusa !== null && "payment" in medusa
}

/** Whether cart or order was deleted, or the payment collection was unlinked from its order: captured money would belong to nothing. */
export function isTargetGone(
  row: Pick<Transaction, "cart_id" | "order_id">,
  { cart, order }: Pick<MedusaState, "cart" | "order">
): boolean {
  return !order && (row.order_id !== null || (row.cart_id !== null && !cart))
}

/** The differences that were found; `exception` names the first of them. */
export interface Mismatch {
  exception: TransactionException
  differences: Difference[]
}

/** The differences between the service's description and our request, or null when there are none. */
export function transactionMismatch(row: Transaction, read: TransactionRead): Mismatch | null {
  const found: [TransactionException, Difference][] = []
  if (!isSameMerchant(read.merchantId, row.merchant_id)) {
    found.push([
      "merchant_differs",
      { what: "merchant", read: read.merchantId, ours: row.merchant_id },
    ])
  }
  if (read.payload !== row.id) {
    found.push([
      "reference_differs",
      { what: "reference", isNamed: Boolean(read.payload), ours: row.id },
    ])
  }
  if (read.currency.toUpperCase() !== row.currency.toUpperCase()) {
    found.push(["currency_differs", { what: "currency", read: read.currency, asked: row.currency }])
  }
  const wanted = wantedSum(row)
  const order = compareSums(read.amount, wanted.amount)
  if (order !== 0) {
    const sum = { amount: read.amount, currency: read.currency }
    found.push([
      order < 0 ? "amount_less" : "amount_more",
      row.accepted
        ? { what: "accepted_amount", read: sum, accepted: wanted }
        : { what: "amount", read: sum, asked: wanted },
    ])
  }
  const [first] = found
  return first
    ? { exception: first[0], differences: found.map(([, difference]) => difference) }
    : null
}

function wantedSum({ accepted, amount, currency }: Transaction): Sum {
  return sumOf(accepted?.amount ?? amount, currency)
}

/** The differences between session or cart and our request to the service, or null when there are none. */
export function medusaMismatch(
  row: Transaction,
  medusa: MedusaState | SessionState | null
): Mismatch | null {
  const { session = null, cart = null } = medusa ?? {}
  if (!session) return null
  const transaction = wantedSum(row)
  const sessionSum = sumOf(session.amount, session.currency)
  if (!isSameSum(sessionSum, transaction)) {
    return {
      exception: "session_differs",
      differences: [{ what: "session_sum", session: session.id, is: sessionSum, transaction }],
    }
  }
  const isPlaced = isComplete(medusa) && medusa.order !== null
  if (!cart || isPlaced) return null
  const is = sumOf(cart.total, cart.currency)
  // When a person accepted the payment, the cart must still be worth what they saw then.
  const accepted = row.accepted?.cart_total && sumOf(row.accepted.cart_total, session.currency)
  return isSameSum(is, accepted || sessionSum)
    ? null
    : {
        exception: "cart_changed",
        differences: [
          accepted
            ? { what: "accepted_cart_total", cart: cart.id, is, accepted }
            : { what: "cart_total", cart: cart.id, is, session: sessionSum },
        ],
      }
}

function sumOf(amount: AmountInput, currency: string): Sum {
  return { amount: amount.toString(), currency: currency.toUpperCase() }
}

function isSameSum(left: Sum, right: Sum): boolean {
  return compareSums(left.amount, right.amount) === 0 && left.currency === right.currency
}

/** Whether core completes a cart with such a session; core then asks us whether it is paid. */
export function isOpenSession(status: string): boolean {
  return status === "pending" || status === "requires_more"
}

/** Whether core was told that the session is paid, or that its order may be placed before the payment. */
export function isAuthorizedSession(status: string): boolean {
  return status === "authorized" || status === "captured" || status === "pending_authorization"
}

/** Whether core can neither complete a cart with such a session nor authorize it any more. */
export function isClosedSession(status: string): boolean {
  return status === "canceled" || status === "error"
}
