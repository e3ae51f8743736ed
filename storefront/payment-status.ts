import { readerOf, type ReaderSource } from "./reader.js"

export type PaymentState = "pending" | "paid" | "canceled" | "expired" | "problem"
export type Method = "sbp" | "crypto"

/** The store's word about a payment, and the only thing that is believed here. */
export interface PaymentStatus {
  /** The payment session's id. */
  id: string
  state: PaymentState
  /** With `paid`: the order that was placed. An order placed first has an id before its money has come. */
  order_id: string | null
  /** The service's page for the payer. */
  redirect: string | null
  /** The QR code's text; often an address, but never one to load anything from. */
  qr: string | null
  /** ISO time. */
  expires_at: string | null
  method: Method
  /** Decimal text, as it is paid. */
  amount: string
  /** In upper case. */
  currency: string
  /** The provider with which a further attempt is made. This and all below is left out by an older plugin in the store. */
  provider_id?: string
  payment_collection_id?: string
  /** Whether a further attempt can be made: the payment failed, and what it was for can still be had. */
  payable_again?: boolean
  /** The store's clock at the answer, ISO. */
  server_time?: string
}

const TIMEOUT_MS = 10_000

/**
 * Reads a payment; gives up after ten seconds.
 *
 * @throws the reader's error; its `status` is 404 when the store knows no such payment
 */
export async function readPaymentStatus(
  sessionId: string,
  source: ReaderSource,
  abort = new AbortController()
): Promise<PaymentStatus> {
  const timer = setTimeout(() => abort.abort(), TIMEOUT_MS)
  try {
    const { session } = await readerOf(source).client.fetch<{ session: PaymentStatus }>(
      `/store/payment-service/sessions/${encodeURIComponent(sessionId)}`,
      { cache: "no-store", signal: abort.signal }
    )
    return session
  } finally {
    clearTimeout(timer)
  }
}
