import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"

export default async function forgetOld(container: MedusaContainer): Promise<void> {
  const module = paymentServiceModule(container)
  await module.callbacks.forgetOld()
  await module.outbox.forgetOld()
  await module.creationCounts.forgetOld()
  await module.subscriptionLookups.forgetOld()
  await module.reconciliation.forgetOld()
}

export const config = {
  name: "payment-service-forget-old",
  schedule: "17 3 * * *",
}
