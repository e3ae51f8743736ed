import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderWorkflowEvents } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../modules/payment-service"
import { queueOf } from "../payments"

/**
 * A shopper's own `/complete` places the order without a settle, and core does not emit `payment.captured` for a paid one. A settle
 * does: the one that is placing the order now, or the one that begins here. If this process dies, the watcher takes it up.
 */
export default async function settlePlacedOrder({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const module = paymentServiceModule(container)
  queueOf(module).name(await module.completionMarks.recordOrderPlaced(event.data.id))
}

export const config: SubscriberConfig = { event: OrderWorkflowEvents.PLACED }
