import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import {
  OrderEditWorkflowEvents,
  OrderWorkflowEvents,
  PaymentEvents,
} from "@medusajs/framework/utils"

import { reportAndBookAfterChange, settlePortsOf } from "../payments"

/** An order, or what was paid for it, is another one now. */
export default async function followChangedBalance({
  event: { data },
  container,
}: SubscriberArgs<{ order_id: string } | { id: string }>): Promise<void> {
  const ports = settlePortsOf(container)
  if ("order_id" in data) return await reportAndBookAfterChange(ports, data.order_id)
  const [payment] = await ports.medusa.listPayments({ id: data.id })
  const orderId = payment && (await ports.medusa.findOrderId(payment.collectionId))
  if (orderId) await reportAndBookAfterChange(ports, orderId)
}

export const config: SubscriberConfig = {
  event: [
    OrderEditWorkflowEvents.CONFIRMED,
    OrderEditWorkflowEvents.CANCELED,
    OrderWorkflowEvents.CLAIM_CREATED,
    OrderWorkflowEvents.EXCHANGE_CREATED,
    OrderWorkflowEvents.RETURN_REQUESTED,
    OrderWorkflowEvents.RETURN_RECEIVED,
    PaymentEvents.CAPTURED,
    PaymentEvents.REFUNDED,
  ],
}
