import type { IEventBusModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../modules/payment-service"

/**
 * Emits `order.placed`, which core does only when its completion ends and is not killed, and records that on
 * our rows. The event comes at least once: a process that dies in between leaves it to be emitted again.
 */
export async function emitOrderPlaced(
  container: MedusaContainer,
  orderId: string,
  paymentCollectionId: string
): Promise<void> {
  const module = paymentServiceModule(container)
  await container
    .resolve<IEventBusModuleService>(Modules.EVENT_BUS)
    .emit({ name: OrderWorkflowEvents.PLACED, data: { id: orderId } }, {})
  await module.completionMarks.recordOrderPlaced(orderId, [paymentCollectionId])
}
