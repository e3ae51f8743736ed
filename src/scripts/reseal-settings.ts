import type { ExecArgs } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"
import { reseal } from "../settings/settings-page"

/**
 * Seals the secrets of the page Settings with the first key of `PAYMENT_SERVICE_ENCRYPTION_KEY`, so that the keys behind it can be
 * taken away: `npx medusa-payment-sbp-crypto reseal-settings`. It throws when the environment has no key.
 */
export default async function resealSettings({ container }: ExecArgs): Promise<void> {
  const module = paymentServiceModule(container)
  const { sealed, left } = await reseal(module)
  module.logger.info(
    `Payment Service: secrets that are sealed with the first key now: ${sealed}; that no key opens: ${left}.`
  )
}
