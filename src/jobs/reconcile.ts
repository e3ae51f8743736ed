import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"
import { reconcile } from "../reconciliation"

/** Compares once a day for each merchant. It runs every hour, so that a store that was down, or a failed comparison, catches up. */
export default async function reconcileWithService(container: MedusaContainer): Promise<void> {
  // Creations whose process was killed become unknown, so that admins no longer read that they are being opened.
  await paymentServiceModule(container).openings.giveUpUnanswered()
  await reconcile(container)
}

export const config = { name: "payment-service-reconcile", schedule: "20 * * * *" }
