import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import {
  OrderEditWorkflowEvents,
  OrderWorkflowEvents,
  PaymentEvents,
} from "@medusajs/framework/utils"

import { endEvenBalance } from "../workflows/orders/order-balance"
import { settlePortsOf } from "../workflows/ports"

/** Ends a person's decision about an order's balance once the balance is even, also when the next change follows at once. */
export default async function followChangedBalance({
  event: { data },
  container,
}: SubscriberArgs<{ order_id: string } | { id: string }>): Promise<void> {
  const ports = settlePortsOf(container)
  const orderId = "order_id" in data ? data.order_id : await orderPaidBy(data.id)
  if (orderId) await endEvenBalance(ports, orderId)

  async function orderPaidBy(paymentId: string): Promise<string | null> {
    const [payment] = await ports.medusa.listPayments({ id: paymentId })
    return payment ? await ports.medusa.findOrderId(payment.collectionId) : null
  }
}

export const config: SubscriberConfig = {
  event: [
    OrderEditWorkflowEvents.CONFIRMED,
    OrderWorkflowEvents.CLAIM_CREATED,
    OrderWorkflowEvents.EXCHANGE_CREATED,
    OrderWorkflowEvents.RETURN_RECEIVED,
    PaymentEvents.CAPTURED,
    PaymentEvents.REFUNDED,
  ],
}
