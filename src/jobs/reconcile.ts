import type { MedusaContainer } from "@medusajs/framework/types"

import { reconcile } from "../reconciliation"

/** Compares once a day for each merchant. It runs every hour, so that a store that was down, or a failed comparison, catches up. */
export default async function reconcileWithService(container: MedusaContainer): Promise<void> {
  await reconcile(container)
}

export const config = {
  name: "payment-service-reconcile",
  schedule: "20 * * * *",
}
