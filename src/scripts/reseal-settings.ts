import type { ExecArgs } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"
import { reseal } from "../settings/settings-page"

/** `… reseal-settings` seals all secrets with the first key, so that the keys behind it can be taken away. It throws without a key. */
export default async function resealSettings({ container }: ExecArgs): Promise<void> {
  const module = paymentServiceModule(container)
  const { sealed, left } = await reseal(module)
  module.logger.info(
    `Payment Service: secrets that are sealed with the first key now: ${sealed}; that no key opens: ${left}.`
  )
}
