import { listOrderCollections } from "../../medusa/links"
import { listOrders } from "../../medusa/order"
import { listPayments, type Payment } from "../../medusa/payments"
import { compareAmounts } from "../../settlement/amount"
import { isSameMerchant } from "../../settlement/merchant-account"
import { followRefundDue } from "../../transactions/follow-refund-due"
import { portsOf } from "../../transactions/ports"
import { takeBackUnprovenRefunds } from "../refunds/take-back-unproven-refunds"
import { settlePortsOf } from "../ports"
import { withDeadline } from "../settle/settle-in-background"
import type { Comparison } from "./comparison"

const PAGE = 50

/** Finds orders that were canceled since the span began and still hold a payment of ours, which must be paid back. */
export async function findRefundsDue(comparison: Comparison): Promise<void> {
  const { container, module, merchant, span } = comparison
  const providers = await module.reconciliation.providersOf(merchant)
  for (let skip = 0; ; skip += PAGE) {
    const orders = await listOrders(
      container,
      // The status is not asked for, because a canceled order can be archived.
      { canceled_at: { $gte: span.from.toISOString() } },
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
  { container, module, merchant, counts, limits }: Comparison,
  orderId: string,
  { data }: Payment
): Promise<void> {
  const id = data.transaction_id
  const row = typeof id === "string" ? await module.findByTransactionId(id) : null
  if (!row || row.handled_at || !isSameMerchant(row.merchant_id, merchant.merchantId)) {
    return
  }
  const { due, held } = await followRefundDue(portsOf(container), row.id)
  if (due !== "0") {
    counts.differences++
  }
  if (compareAmounts(held.amount, 0) > 0) {
    // This deletes a refund that core booked without proof when it canceled the order, even if a person has closed the problem.
    await withDeadline(
      limits.longestSettleMs,
      takeBackUnprovenRefunds(settlePortsOf(container), orderId)
    )
  }
}
