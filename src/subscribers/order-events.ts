import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import {
  OrderEditWorkflowEvents,
  OrderWorkflowEvents,
  PaymentEvents,
} from "@medusajs/framework/utils"

import {
  queueOf,
  reportAndBookAfterChange,
  type SettlePorts,
  settlePortsOf,
  takeBackUnprovenRefunds,
} from "../payments"
import { causeOfHalfMadeOrder } from "../problems/rules/problems"

/** An order was placed, or it, or what was paid for it, is another one now. */
export default async function followOrder({
  event: { name, data },
  container,
}: SubscriberArgs<{ order_id: string } | { id: string }>): Promise<void> {
  const ports = settlePortsOf(container)
  if ("id" in data && name === OrderWorkflowEvents.PLACED) {
    // A shopper's own `/complete` places the order without a settle, which alone emits `payment.captured`. The watcher settles otherwise.
    return queueOf(ports.module).settleSoon(
      await ports.module.completionMarks.recordOrderPlaced(data.id)
    )
  }
  if ("id" in data && name === OrderWorkflowEvents.CANCELED) {
    return await followCancellation(ports, data.id)
  }
  if ("order_id" in data) return await reportAndBookAfterChange(ports, data.order_id)
  const [payment] = await ports.medusa.listPayments({ id: data.id })
  const orderId = payment && (await ports.medusa.findOrderId(payment.collectionId))
  if (orderId) await reportAndBookAfterChange(ports, orderId)
}

/** Takes back refunds that core booked and nobody paid. The cart of an order that a killed completion had left can be ordered again. */
async function followCancellation(ports: SettlePorts, orderId: string): Promise<void> {
  await takeBackUnprovenRefunds(ports, orderId)
  const { module, core } = ports
  const cause = causeOfHalfMadeOrder(orderId)
  const [left] = await module.listProblems({ cause, closed_at: null })
  const { cart_id: cartId, transaction_row_id: rowId } = left ?? {}
  if (!cartId || !rowId) return
  await core.hold(cartId, () => core.finishKilledCompletion(cartId))
  await module.problems.close([cause])
  await module.dueTransactions.hint(rowId)
}

export const config: SubscriberConfig = {
  // The default is the function's name, which a shop's own subscriber may have, too.
  context: { subscriberId: "payment-service-order-events" },
  event: [
    OrderWorkflowEvents.PLACED,
    OrderWorkflowEvents.CANCELED,
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
