import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderWorkflowEvents } from "@medusajs/framework/utils"

import { settlePortsOf, takeBackUnprovenRefunds } from "../payments"
import { causeOfHalfMadeOrder } from "../problems/rules/problems"

/** Takes back refunds that core booked and nobody paid. The cart of an order that a killed completion had left can be ordered again. */
export default async function keepMoneyVisible({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const ports = settlePortsOf(container)
  await takeBackUnprovenRefunds(ports, event.data.id)
  const { module, core } = ports
  const cause = causeOfHalfMadeOrder(event.data.id)
  const [left] = await module.listProblems({ cause, closed_at: null })
  const { cart_id: cartId, transaction_row_id: rowId } = left ?? {}
  if (!cartId || !rowId) return
  await core.hold(cartId, () => core.finishKilledCompletion(cartId))
  await module.problems.close([cause])
  await module.dueTransactions.hint(rowId)
}

export const config: SubscriberConfig = { event: OrderWorkflowEvents.CANCELED }
