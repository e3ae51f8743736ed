import type { ExecArgs } from "@medusajs/framework/types"

import { paymentServiceModule } from "../modules/payment-service"

/** Takes a person out of the plugin's records: `npx medusa-payment-sbp-crypto erase-payer <e-mail address>`, see `docs/operations.md`. */
export default async function erasePayer({ container, args }: ExecArgs): Promise<void> {
  const [email, ...others] = args
  if (!email?.includes("@") || others.length > 0) {
    throw new Error("Give the e-mail address of the payer, and nothing else.")
  }
  const module = paymentServiceModule(container)
  const payerIds = await module.guestPayerIds(email)
  const { erased, left } = await module.retention.erasePayer(email, payerIds)
  module.logger.info(
    `Payment Service: payments that no longer name this payer: ${erased}; that still do, because something about ` +
      `them is open or due: ${left}${left ? ". Run this again later." : ""}`
  )
}
