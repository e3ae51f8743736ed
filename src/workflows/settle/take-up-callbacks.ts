import type { MedusaContainer } from "@medusajs/framework/types"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { settleCallback } from "./settle-callback"
import { SideBySide } from "./side-by-side"

const AT_A_TIME = 5
/** After this time, callbacks are left to the next run. */
const LONGEST_MS = 5 * 60_000
/** While settles are going on, more due callbacks are looked for this often. */
const RECHECK_MS = 1_000

/**
 * Takes up what the callback route wrote down but could not finish: the process died, the service did
 * not answer, the id was not known yet. A few at a time, so that slow ones do not hold up the others.
 */
export async function takeUpCallbacks(
  container: MedusaContainer,
  longestSettleMs?: number
): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  await module.inbox.closeUnknown()
  const atWork = new SideBySide()
  const began = performance.now()
  for (;;) {
    const isLate = performance.now() - began > LONGEST_MS
    const room = isLate ? 0 : AT_A_TIME - atWork.size
    const callbacks = room ? await module.inbox.claimDue(room) : []
    for (const callback of callbacks) {
      atWork.start(() =>
        settleCallback(container, callback, longestSettleMs).catch((error: unknown) => {
          module.logger.error(
            `Payment Service: a callback is left for the next round: ${reasonOf(error)}`
          )
        })
      )
    }
    if (!callbacks.length && !atWork.size) {
      return
    }
    if (atWork.size) {
      await atWork.oneEnds(RECHECK_MS)
    }
  }
}
