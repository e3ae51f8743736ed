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
 * reply to our own creation.
 */
export async function settleCallback(
  container: MedusaContainer,
  callback: CallbackRow
): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const rows = await module.listTransactions({
    transaction_id: callback.transaction_ids as unknown as string[],
  })
  let isDone = true
  for (const row of rows) {
    try {
      const { result } = await settleTransactionWorkflow(container).run({
        input: { transaction_row_id: row.id },
      })
      isDone &&= result.done
    } catch (error) {
      isDone = false
      module.logger.warn(
        `Payment Service: settling transaction ${row.transaction_id ?? ""} failed and will be tried again: ${reasonOf(error)}`
      )
    }
  }
  if (isDone) {
    await module.closeCallback(callback, { known: rows.length > 0 })
  }
}
