import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"
import { callbackIds } from "../modules/payment-service/callback-ids"

/**
 * Makes transactions of ours whose ids occur in `words`, the body of a callback, due for the watcher soon.
 */
export async function hintNamed(container: MedusaContainer, words: unknown[]): Promise<void> {
  const module = paymentServiceModule(container)
  for (const id of callbackIds(words)) {
    const row = await module.findByTransactionId(id)
    if (row) {
      await module.transactions.hint(row.id)
    }
  }
}
