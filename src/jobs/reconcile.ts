import type { MedusaContainer } from "@medusajs/framework/types"

import { reconcile } from "../reconciliation"

/**
 * Compares once a day for each merchant, after midnight UTC. It runs every hour, so that a store that was down catches up, and a
 * failed comparison is made again.
 */
export default async function reconcileWithService(container: MedusaContainer): Promise<void> {
  await reconcile(container)
}

export const config = {
  name: "payment-service-reconcile",
  schedule: "20 * * * *",
}
