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
  const orderId = "order_id" in data ? data.order_id : await orderPaidBy(data.id)
  if (orderId) await reportAndBookAfterChange(ports, orderId)

  async function orderPaidBy(paymentId: string): Promise<string | null> {
    const [payment] = await ports.medusa.listPayments({ id: paymentId })
    return payment ? await ports.medusa.findOrderId(payment.collectionId) : null
  }
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
