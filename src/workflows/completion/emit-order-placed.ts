import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../modules/payment-service"

/**
 * Emits `order.placed`, which core does only at the end of a completion, and records that on our rows. The event comes at least
 * once: if this process dies in between, it is emitted again.
 */
export async function emitOrderPlaced(
  container: MedusaContainer,
  orderId: string,
  paymentCollectionId: string
): Promise<void> {
  const module = paymentServiceModule(container)
  await container
    .resolve(Modules.EVENT_BUS)
    .emit({ name: OrderWorkflowEvents.PLACED, data: { id: orderId } }, {})
  await module.completionMarks.recordOrderPlaced(orderId, [paymentCollectionId])
}
