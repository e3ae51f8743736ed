import type { MedusaContainer } from "@medusajs/framework/types"

import { type MedusaReader, medusaReader } from "../medusa/reader"
import { paymentServiceModule, type PaymentServiceModuleService } from "../modules/payment-service"

/**
 * Everything outside that a transaction's functions use: our tables, the clock and the service (`module`), and Medusa's records
 * (`medusa`).
 */
export interface Ports {
  module: PaymentServiceModuleService
  medusa: MedusaReader
}

/** The ports of a running store. */
export function portsOf(container: MedusaContainer): Ports {
  return {
    // A getter, because a provider is loaded before the modules are.
    get module() {
      return paymentServiceModule(container)
    },
    medusa: medusaReader(container),
  }
}
