import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderWorkflowEvents } from "@medusajs/framework/utils"

import { settlePortsOf, takeBackUnprovenRefunds } from "../payments"
import { causeOfHalfMadeOrder } from "../problems/rules/problems"

/**
 * Keeps a canceled order from showing money as paid back that nobody has paid back. If it was one that a killed completion had left,
 * its cart can be ordered again.
 */
export default async function keepMoneyVisible({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  const ports = settlePortsOf(container)
  await takeBackUnprovenRefunds(ports, event.data.id)
  const { module, core } = ports
  const cause = causeOfHalfMadeOrder(event.data.id)
  const [left] = await module.listProblems({ cause, closed_at: null })
  if (left?.cart_id && left.transaction_row_id) {
    const { cart_id: cartId, transaction_row_id: rowId } = left
    await core.hold(cartId, () => core.finishKilledCompletion(cartId))
    await module.problems.close([cause])
    await module.dueTransactions.hint(rowId)
  }
}

export const config: SubscriberConfig = { event: OrderWorkflowEvents.CANCELED }
