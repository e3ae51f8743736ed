import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"

/** Payments that were not final when their customer was deleted are looked at again each day. */
export default async function forgetOld(container: MedusaContainer): Promise<void> {
  const { accounts, retention } = paymentServiceModule(container)
  await retention.eraseDeletedCustomers()
  await retention.forgetOld((await accounts()).store.retention)
}

export const config = { name: "payment-service-forget-old", schedule: "17 3 * * *" }
