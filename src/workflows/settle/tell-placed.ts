import type { IEventBusModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"

/**
 * Core tells of an order when its completion has ended; one that was killed has told nobody. Our rows know
 * afterwards that it was told of. At least once: who dies in between tells again.
 */
export async function tellPlaced(
  container: MedusaContainer,
  orderId: string,
  paymentCollectionId: string
): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  await container
    .resolve<IEventBusModuleService>(Modules.EVENT_BUS)
    .emit({ name: OrderWorkflowEvents.PLACED, data: { id: orderId } }, {})
  await module.placings.recordTold(orderId, [paymentCollectionId])
}
