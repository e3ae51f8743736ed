import type { MedusaContainer } from "@medusajs/framework/types"

import {
  type CallbackRow,
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { reasonOf } from "./apply-action"
import { settleTransactionWorkflow } from "./settle-transaction"

/**
 * Settles every transaction that an inbox row names and that is ours. An id that we do not know causes
 * no call to the service; it is looked up here again for a minute, because a callback can overtake the
 * reply to our own creation. What a settle could not bring about is the watcher's from then on.
 */
export async function settleCallback(
  container: MedusaContainer,
  callback: CallbackRow
): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const rows = await module.listTransactions({
    transaction_key: callback.transaction_ids as unknown as string[],
  })
  let failed = false
  for (const row of rows) {
    try {
      await module.hint(row.id)
      await settleTransactionWorkflow(container).run({ input: { transaction_row_id: row.id } })
    } catch (error) {
      failed = true
      module.logger.warn(
        `Payment Service: settling transaction ${row.transaction_id ?? ""} failed and will be tried again: ${reasonOf(error)}`
      )
    }
  }
  await module.recordAttempt(callback, failed ? "failed" : rows.length ? "settled" : "none of ours")
}
