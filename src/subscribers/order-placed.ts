import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderWorkflowEvents } from "@medusajs/framework/utils"

import { listOrderCollections } from "../medusa/reader"
import { paymentServiceModule } from "../modules/payment-service"
import { queueOf } from "../payments"
import { isPaidAndNotHandled } from "../payments/rules/transaction"

/**
 * A shopper's own `/complete` places the order without a settle, and core does not emit `payment.captured` for a paid one. A settle
 * does: the one that is placing the order now, or the one that begins here.
 */
export default async function settlePlacedOrder({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const links = await listOrderCollections(container, { order_id: event.data.id })
  const collections = links.map(({ payment_collection_id }) => payment_collection_id)
  if (!collections.length) return
  const module = paymentServiceModule(container)
  // They are read before their marks are removed.
  const rows = await module.transactions.inCollections(collections)
  await module.completionMarks.recordOrderPlaced(event.data.id, collections)
  // A settle that completes the cart books the payment itself after core has ended.
  const toSettle = rows.filter(
    (row) => isPaidAndNotHandled(row) && row.settled_at === null && !row.completion?.isHeld
  )
  // If this process dies, the watcher takes them up.
  for (const { id } of toSettle) {
    await module.transactions.change(id, { watch_at: module.clock.now() })
  }
  queueOf(module).name(toSettle)
}

export const config: SubscriberConfig = { event: OrderWorkflowEvents.PLACED }
