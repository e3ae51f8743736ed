import type { Method } from "./methods.js"
import { readerOf, type ReaderSource } from "./reader.js"

export type PaymentState =
  | "pending"
  | "paid"
  | "canceled"
  | "expired"
  | "problem"
  /** The cart has changed, or another way to pay was chosen; `amount` is what is to be paid now. */
  | "replaced"

/** The store's answer about a payment, the only trusted source here. */
export interface PaymentStatus {
  /** The id that was asked for: of the payment session, or the return id. */
  id: string
  state: PaymentState
  /**
   * The order, once there is one. Null for a payment link, for an order that was placed first unless its cart's id is given, and
   * in a browser that did not begin the payment.
   */
  order_id: string | null
  /** The service's page for the payer. */
  redirect: string | null
  /** The QR code's text; often an address, but nothing may be loaded from it. */
  qr: string | null
  /** ISO time. */
  expires_at: string | null
  method: Method
  /** Decimal text, the sum to pay. */
  amount: string
  /** In upper case. */
  currency: string
  /** The id in the address to which the service returns the payer. */
  return_id: string
  /** The order's number, once there is an order. */
  order_display_id: number | null
  /** The rate of a crypto payment, as the service gives it. */
  usdt_rate: string | null
  /** When the money was seen, ISO. */
  paid_at: string | null
  /** A short number that the shop finds in its dashboard. */
  reference: string | null
  /** The provider for a further attempt. */
  provider_id: string | null
  payment_collection_id: string | null
  /** Whether a further attempt is possible: the payment failed, and its cart or order can still be paid. */
  payable_again: boolean
  /** The attempt that was begun since, on another page for example, and can be paid instead of this one. */
  open_attempt: { session_id: string; method: Method } | null
  /** The store's clock at the answer, ISO. */
  server_time: string
}

const TIMEOUT_MS = 10_000

/** Whether there is an order, told or not. */
export function hasOrder({ order_id, order_display_id }: PaymentStatus): boolean {
  return Boolean(order_id ?? order_display_id)
}

/** Shows that the payment is this browser's to see. */
export interface PaymentProof {
  cartId?: string | null
  collectionId?: string | null
}

/**
 * Reads a payment; gives up after ten seconds.
 *
 * @param sessionId the payment session's id, or the return id
 * @param proof the browser's own cart, for which the store tells all also by a return id; or a payment link's collection, for which
 * it tells all but the order
 * @throws the reader's error; its `status` is 404 when the store knows no such payment
 */
export async function readPaymentStatus(
  sessionId: string,
  source: ReaderSource,
  abort = new AbortController(),
  proof: PaymentProof = {}
): Promise<PaymentStatus> {
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS)
  try {
    const { session } = await readerOf(source).client.fetch<{ session: PaymentStatus }>(
      `/store/payment-service/sessions/${encodeURIComponent(sessionId)}` + queryOf(proof),
      { cache: "no-store", signal: abort.signal }
    )
    return session
  } finally {
    clearTimeout(timer)
  }
}

function queryOf({ cartId, collectionId }: PaymentProof): string {
  const given = new URLSearchParams({
    ...(cartId && { cart_id: cartId }),
    ...(collectionId && { payment_collection_id: collectionId }),
  })
  const query = given.toString()
  return query && `?${query}`
}
