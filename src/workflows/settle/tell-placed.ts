import type { IEventBusModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"

import { paymentServiceModule } from "../../modules/payment-service"

/**
 * Core tells of an order when its completion has ended; one that was killed has told nobody. Our rows know
 * afterwards that it was told of. At least once: who dies in between tells again.
 */
export async function tellPlaced(
  container: MedusaContainer,
  orderId: string,
  paymentCollectionId: string
): Promise<void> {
  const module = paymentServiceModule(container)
  await container
    .resolve<IEventBusModuleService>(Modules.EVENT_BUS)
    .emit({ name: OrderWorkflowEvents.PLACED, data: { id: orderId } }, {})
  await module.placings.recordTold(orderId, [paymentCollectionId])
}
