import type { Method } from "./methods.js"
import { readerOf, type ReaderSource } from "./reader.js"

/** The store's answer about an order's payment collection: all facts that a payment link shows of the order. */
export interface PaymentLink {
  id: string
  state: "payable" | "nothing_owed" | "paid" | "canceled"
  /** Decimal text: the sum to pay by the link. */
  amount: string
  /** In upper case. */
  currency: string
  order_display_id: number
  /** A begun payment that may still be paid. */
  session_id: string | null
  /** The plugin's providers in the order's region. */
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
