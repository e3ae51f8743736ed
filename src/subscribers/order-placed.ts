import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import type { RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, OrderWorkflowEvents } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../modules/payment-service"
import { settleWithin } from "../workflows/settle/within"

/**
 * A shopper's own `/complete` places the order without us, paid or (order first) not paid yet. What core
 * leaves undone for a paid one, `payment.captured`, is done by a settle: the one that is placing the order
 * right now, or this one.
 */
export default async function settlePlacedOrder({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "order_payment_collection",
    fields: ["payment_collection_id"],
    filters: { order_id: event.data.id },
  })
  const collections = (data as { payment_collection_id: string }[]).map(
    (link) => link.payment_collection_id
  )
  if (!collections.length) {
    return
  }
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  await module.updateTransactions({
    selector: { payment_collection_id: collections, order_id: null },
    data: { order_id: event.data.id },
  })
  const rows = await module.listTransactions({
    payment_collection_id: collections,
    state: "paid",
    settled_at: null,
  })
  for (const row of rows) {
    // Should this settle fail, the watcher comes soon.
    await module.transactions.hint(row.id)
    // A completion of ours books the payment itself when core has ended.
    if (row.placing_at === null) {
      await settleWithin(container, { transaction_row_id: row.id, reuse_proof: true })
    }
  }
}

export const config: SubscriberConfig = { event: OrderWorkflowEvents.PLACED }
