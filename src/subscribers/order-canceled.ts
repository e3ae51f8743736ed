import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"
import { OrderWorkflowEvents } from "@medusajs/framework/utils"

import { takeBackUnprovenRefunds } from "../workflows/refunds/take-back-unproven-refunds"
import { settlePortsOf } from "../workflows/ports"

/** Keeps a canceled order from showing money as paid back that nobody has paid back. */
export default async function keepMoneyVisible({
  event,
  container,
}: SubscriberArgs<{ id: string }>): Promise<void> {
  await takeBackUnprovenRefunds(settlePortsOf(container), event.data.id)
}

export const config: SubscriberConfig = { event: OrderWorkflowEvents.CANCELED }
