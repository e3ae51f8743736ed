import type { SubscriberArgs, SubscriberConfig } from "@medusajs/framework"

import { followPayout } from "../workflows/payouts/pay-back"
import { payoutPortsOf } from "../workflows/payouts/ports"

/** Books what a payout has paid back, should the process that sent it have died before that: events are delivered all the same. */
export default async function bookPayout({
  event: { data },
  container,
}: SubscriberArgs<{ payout_id: string; transaction_row_id: string | null }>): Promise<void> {
  const { payout_id: id, transaction_row_id } = data
  await followPayout(payoutPortsOf(container), { id, transaction_row_id })
}

export const config: SubscriberConfig = {
  event: ["payment_service.payout_created", "payment_service.payout_marked_sent"],
}
