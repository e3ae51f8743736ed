import type { MedusaContainer } from "@medusajs/framework/types"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../modules/payment-service"
import { watchTransactions } from "../workflows/settle/watch-transactions"

const SECONDS_BETWEEN_PASSES = 2

/** Settles what is still open, callback or not. On several instances one pass runs at a time. */
export default async function watch(container: MedusaContainer): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  await watchTransactions(container, module.watcherLimits(), SECONDS_BETWEEN_PASSES)
}

export const config = {
  name: "payment-service-watch-transactions",
  // Not as cron: core's scheduler in memory stands still for as long as the machine's clock is set back.
  schedule: { interval: SECONDS_BETWEEN_PASSES * 1_000 },
}
