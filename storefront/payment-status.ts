import { readerOf, type ReaderSource } from "./reader.js"

export type PaymentState =
  | "pending"
  | "paid"
  | "canceled"
  | "expired"
  | "problem"
  /** The cart has changed, or another way to pay was chosen; `amount` is what is to be paid now. */
  | "replaced"
export type Method = "sbp" | "crypto"

/** The store's answer about a payment, the only trusted source here. */
export interface PaymentStatus {
  /** The payment session's id. */
  id: string
  state: PaymentState
  /** With `paid`: the placed order. An order placed first has an id before its money has come. */
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
  /** The rate of a crypto payment, as the service gives it. An older plugin in the store omits this field and all below. */
  usdt_rate?: string | null
  /** When the money was seen, ISO. */
  paid_at?: string | null
  /** A short number that the shop finds in its dashboard. */
  reference?: string | null
  /** The provider for a further attempt. */
  provider_id?: string
  payment_collection_id?: string
  /** Whether a further attempt is possible: the payment failed, and its cart or order can still be paid. */
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
