import type { MedusaContainer } from "@medusajs/framework/types"

import {
  type CallbackRow,
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { reached } from "../../modules/payment-service/labelled-points"
import { subjectOf } from "../../modules/payment-service/problems"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { problem } from "../../settlement/problems"
import { settleWithin } from "./within"

/**
 * Settles every transaction of ours that an inbox row names. An unknown id causes no call to the service; it
 * is looked up again for a minute, because a callback can overtake the reply to our own creation. Where
 * Medusa could not follow, the watcher tries again.
 */
export async function settleCallback(
  container: MedusaContainer,
  callback: CallbackRow,
  longestSettleMs?: number
): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const rows = await module.transactions.claimNamed(
    Object.values(callback.transaction_ids) as string[]
  )
  let failed = false
  for (const row of rows) {
    try {
      // Nobody waits for a settled or handled payment: the watcher reads it soon, once for all its callbacks.
      if (row.settled_at || row.handled_at) continue
      await settleWithin(container, row.id, {
        provenSince: callback.received_at,
        longestMs: longestSettleMs,
      })
    } catch (error) {
      failed = true
      module.logger.warn(
        `Payment Service: settling transaction ${row.transaction_id ?? ""} failed and will be tried again: ${reasonOf(error)}`
      )
    }
  }
  await reached("callback:settled")
  const outcome = failed ? "failed" : rows.length ? "settled" : "none of ours"
  if ((await module.inbox.recordAttempt(callback, outcome)) === "parked") {
    for (const row of rows) {
      await module.problems.report(
        problem("callback_parked", {
          row: row.id,
          transaction: row.transaction_id ?? "",
          attempts: callback.attempts,
        }),
        subjectOf(row)
      )
    }
  }
}
