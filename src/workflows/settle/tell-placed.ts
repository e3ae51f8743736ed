import type { IEventBusModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules, OrderWorkflowEvents } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"

/** Tells of an order whose completion had no time to; at least once, and our row knows the order then. */
export async function tellPlaced(
  container: MedusaContainer,
  row: Pick<TransactionRow, "id">,
  orderId: string
): Promise<void> {
  await container
    .resolve<IEventBusModuleService>(Modules.EVENT_BUS)
    .emit({ name: OrderWorkflowEvents.PLACED, data: { id: orderId } }, {})
  await container
    .resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
    .updateTransactions({ id: row.id, order_id: orderId })
}
