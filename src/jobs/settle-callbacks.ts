import type { MedusaContainer } from "@medusajs/framework/types"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../modules/payment-service"
import { settleCallback } from "../workflows/settle/settle-callback"

const MOST_PER_ROUND = 50

/**
 * Takes up what the callback route wrote down but could not finish: the process died, the service did
 * not answer, the id was not known yet.
 */
export default async function settleCallbacks(container: MedusaContainer): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const ids = await module.claimDueCallbacks(MOST_PER_ROUND)
  for (const callback of ids.length
    ? await module.listCallbacks({ id: ids }, { take: null })
    : []) {
    await settleCallback(container, callback)
  }
}

export const config = {
  name: "payment-service-settle-callbacks",
  schedule: "*/2 * * * * *",
}
