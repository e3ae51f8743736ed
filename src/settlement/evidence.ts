import type { AmountInput } from "./amount"
import { isToBeSettled } from "./standing"
import { FRESH_PROOF_MS } from "./timing"
import { paidSum, type Transaction } from "./transaction"

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
    /** The payment of ours (its row) that got a new order in place of this canceled one. */
    copiedFor: string | null
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
     * got nothing, `tell` of one that got a part or was promised nothing; null when it is paid or can still be paid.
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
