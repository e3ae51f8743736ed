import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderWorkflowEvents } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../modules/payment-service"
import { queueOf } from "../payments"

/** A shopper's own `/complete` places the order without a settle, which alone emits `payment.captured`. The watcher settles otherwise. */
export default async function settlePlacedOrder({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const module = paymentServiceModule(container)
  queueOf(module).name(await module.completionMarks.recordOrderPlaced(event.data.id))
}

export const config: SubscriberConfig = { event: OrderWorkflowEvents.PLACED }
