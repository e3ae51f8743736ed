import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"

/** Creations whose process was killed become unknown, so that admins no longer read that they are being opened. */
export default async function giveUpUnanswered(container: MedusaContainer): Promise<void> {
  await paymentServiceModule(container).openings.giveUpUnanswered()
}

export const config = {
  name: "payment-service-give-up-unanswered",
  schedule: "*/10 * * * *",
}
