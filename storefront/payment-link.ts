import type { Method } from "./payment-status.js"
import { readerOf, type ReaderSource } from "./reader.js"

/** The store's answer about an order's payment collection, and all that a payment link shows of the order. */
export interface PaymentLink {
  id: string
  state: "payable" | "nothing_owed" | "paid" | "canceled"
  /** Decimal text: the sum that is paid by the link. */
  amount: string
  /** In upper case. */
  currency: string
  order_display_id: number
  /** A payment that was begun and may still be paid. */
  session_id: string | null
  /** The plugin's ways to pay in the order's region. */
  providers: { id: string; method: Method }[]
}

/** @throws the reader's error; its `status` is 404 when there is no such link */
export async function readPaymentLink(
  collectionId: string,
  source: ReaderSource,
  signal: AbortSignal
): Promise<PaymentLink> {
  const { payment_collection: link } = await readerOf(source).client.fetch<{
    payment_collection: PaymentLink
  }>(`/store/payment-service/payment-collections/${encodeURIComponent(collectionId)}`, {
    cache: "no-store",
    signal,
  })
  return link
}
