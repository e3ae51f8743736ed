import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"
import { reconcile } from "../workflows/reconciliation/reconcile"

/**
 * Compares once a day for each merchant, after midnight UTC. It runs every hour, so that a store that was down catches up, and a
 * failed comparison is made again. Before that, creations whose process was killed become unknown, because a comparison looks for
 * what became of them.
 */
export default async function reconcileWithService(container: MedusaContainer): Promise<void> {
  await paymentServiceModule(container).openings.giveUpUnanswered()
  await reconcile(container)
}

export const config = {
  name: "payment-service-reconcile",
  schedule: "20 * * * *",
}
