import { listOrderCollections } from "../../medusa/links"
import { listOrders } from "../../medusa/order"
import { listPayments, type Payment } from "../../medusa/payments"
import { compareAmounts } from "../../settlement/amount"
import { followRefundDue } from "../../transactions/follow-refund-due"
import { takeBackUnprovenRefunds } from "../refunds/take-back-unproven-refunds"
import { within } from "../settle/within"
import type { Comparison } from "./comparison"

const PAGE = 50

/** Orders that were canceled in the span and still hold money of ours: it has to go back. */
export async function findRefundsDue(comparison: Comparison): Promise<void> {
  const { container, module, place, span } = comparison
  const providers = await module.reconciliation.providersOf(place)
  for (let skip = 0; ; skip += PAGE) {
    const orders = await listOrders(
      container,
      // Whatever its status is by now: a canceled order can be archived.
      { canceled_at: { $gte: span.from.toISOString() } },
      [],
      { take: PAGE, skip }
    )
    if (!orders.length) {
      return
    }
    const links = await listOrderCollections(container, { order_id: orders.map(({ id }) => id) })
    const payments = await listPayments(container, {
      payment_collection_id: links.map(({ payment_collection_id }) => payment_collection_id),
      provider_id: providers,
    })
    for (const { order_id, payment_collection_id } of links) {
      for (const payment of payments) {
        if (payment.collectionId === payment_collection_id) {
          await compareHeld(comparison, order_id, payment)
        }
      }
    }
    if (orders.length < PAGE) {
      return
    }
  }
}

async function compareHeld(
  { container, module, place, counts, limits }: Comparison,
  orderId: string,
  { data }: Payment
): Promise<void> {
  const id = data.transaction_id
  const row = typeof id === "string" ? await module.findByTransactionId(id) : null
  if (!row || row.handled_at || row.merchant_id.toLowerCase() !== place.merchantId.toLowerCase()) {
    return
  }
  const { due, held } = await followRefundDue(container, row.id)
  if (due !== "0") {
    counts.differences++
  }
  if (compareAmounts(held.amount, 0) > 0) {
    // What core booked as refunded when it canceled the order, if nobody has taken it back yet, whatever a
    // person has closed.
    await within(limits.longestSettleMs, takeBackUnprovenRefunds(container, orderId))
  }
}
