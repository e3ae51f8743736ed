import type { MedusaContainer } from "@medusajs/framework/types"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../modules/payment-service"
import { settleCallback } from "../workflows/settle/settle-callback"

const MOST_PER_ROUND = 50
const AT_A_TIME = 5

/**
 * Takes up what the callback route wrote down but could not finish: the process died, the service did
 * not answer, the id was not known yet. A few at a time, so that slow ones do not hold up the others.
 */
export default async function settleCallbacks(container: MedusaContainer): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  await module.inbox.closeUnknown()
  const ids = await module.inbox.claimDue(MOST_PER_ROUND)
  const waiting = ids.length ? await module.listCallbacks({ id: ids }, { take: null }) : []
  const work = async () => {
    for (let callback = waiting.shift(); callback; callback = waiting.shift()) {
      await settleCallback(container, callback)
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
}

export const config = {
  name: "payment-service-settle-callbacks",
  // Not as cron: core's scheduler in memory stands still for as long as the machine's clock is set back.
  schedule: { interval: 2_000 },
}
