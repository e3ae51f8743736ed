import type { MedusaContainer } from "@medusajs/framework/types"

import { reconcile } from "../workflows/reconciliation/reconcile"

/**
 * Once a day for each merchant, as soon as a day of UTC has begun; asked every hour, so that a store that
 * was down then catches up, and what failed is tried again.
 */
export default async function reconcileWithService(container: MedusaContainer): Promise<void> {
  await reconcile(container)
}

export const config = {
  name: "payment-service-reconcile",
  schedule: "20 * * * *",
}
