import type { AmountInput } from "./amount"
import { isToBeSettled } from "./standing"
import { FRESH_PROOF_MS } from "./timing"
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

/** Our row, as far as it keeps what the last read said. */
export interface RecordedRead {
  id: string
  merchant_id: string
  amount: string
  currency: string
  exception: TransactionException | null
  status: string | null
  read_amount: string | null
  read_currency: string | null
}

/**
 * The last read as its row keeps it: the newest that anybody has made, so that nobody acts on an older one. Of
 * a merchant or a reference that is not ours, only that is kept.
 */
export function recordedRead(row: RecordedRead): TransactionRead {
  return {
    status: row.status ?? "",
    amount: row.read_amount ?? row.amount,
    currency: row.read_currency ?? row.currency,
    merchantId: row.exception === "merchant_differs" ? null : row.merchant_id,
    payload: row.exception === "reference_differs" ? null : row.id,
  }
}

/**
 * Since when a proof of payment was asked for that is as good as one asked for now: whoever reads just before core
 * asks, or just after core has completed, need not read twice.
 */
export function freshSince(now: Date): Date {
  return new Date(now.getTime() - FRESH_PROOF_MS)
}

/**
 * Has a read that was asked for since then proven the payment in full, and neither Medusa nor a person has done
 * anything about it yet?
 */
export function isProvenSince(
  row: Pick<ExpectedTransaction, "state" | "exception" | "settled_at" | "handled_at"> & {
    read_at: Date | null
  },
  since: Date
): boolean {
  return (
    isToBeSettled(row) && row.settled_at === null && row.read_at !== null && row.read_at >= since
  )
}

/** What Medusa holds for the transaction at the moment of the decision. */
export interface MedusaState {
  session: { id: string; status: string; amount: AmountInput; currency: string } | null
  payment: { id: string; captured: boolean; canceled: boolean } | null
  /** Another payment in the same collection, which Medusa never asks for twice. */
  otherPayment: { id: string } | null
  cart: { id: string; total: AmountInput; currency: string } | null
  order: {
    id: string
    canceled: boolean
    /** Placed before its payment, and neither paid nor payable by any other transaction. */
    unpaid: boolean
    /** The same, but without a promise: a completion that ended half-way left it, and has told nobody of it. */
    leftUnpaid: boolean
    /**
     * What is still to be paid for it, over all its collections: without what Medusa holds already, booked on
     * the order or not, but for this transaction's own payment. Less than nothing when too much was paid.
     */
    owed: AmountInput
  } | null
}

/**
 * As much as core may be asked about in the middle of its own work: enough to judge, not to act. With a cart,
 * it is the cart that is being completed; the order that core has just made of it changes nothing then.
 */
export type SessionState = Pick<MedusaState, "session"> &
  Partial<Pick<MedusaState, "cart" | "order">>

/** Can it be acted on, and not only judged? */
export function isWhole(medusa: MedusaState | SessionState | null): medusa is MedusaState {
  return medusa !== null && "payment" in medusa
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
