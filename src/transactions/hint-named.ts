import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"
import { callbackIds } from "../modules/payment-service/callback-ids"

/** Makes transactions of ours whose ids occur in `words`, the body of a callback, due for the watcher soon. */
export async function hintNamed(container: MedusaContainer, words: unknown[]): Promise<void> {
  await paymentServiceModule(container).dueTransactions.hintNamed(callbackIds(words))
}
