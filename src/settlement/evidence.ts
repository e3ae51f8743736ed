import type { AmountInput } from "./amount"
import type { HandledAs, TransactionException, TransactionState } from "./transaction-state"

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
  /** What the last read named, or the last that spoke of money. */
  read_amount: string | null
  /** What a person took instead of `amount`, and the cart's total that they had before them. */
  accepted_amount: string | null
  accepted_cart_total: string | null
  /** A person took care of the money, and nothing happens with it by itself. */
  handled_at: Date | null
  /** How the money stood, and how much it was, when a person last took care of it, whatever Medusa holds. */
  handled_as: HandledAs | null
  handled_amount: string | null
  handled_currency: string | null
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
    /** The same, but without a promise: a completion that ended half-way left it, and has told nobody of it. */
    leftUnpaid: boolean
    /** What is still to be paid for it; less than nothing when too much was. */
    owed: AmountInput
  } | null
}

/** As much as core may be asked about in the middle of its own work: enough to judge, not to act. */
export type SessionState = Pick<MedusaState, "session"> & Partial<Pick<MedusaState, "cart">>

/** Can it be acted on, and not only judged? */
export function isWhole(medusa: MedusaState | SessionState | null): medusa is MedusaState {
  return medusa !== null && "order" in medusa
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
