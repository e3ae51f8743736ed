import type { MedusaContainer } from "@medusajs/framework/types"

import { type MedusaReader, medusaReader } from "../medusa/reader"
import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../modules/payment-service"
import { refusedPayment } from "../refusals/refused"

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
      const module = container.resolve<PaymentServiceModuleService | undefined>(
        PAYMENT_SERVICE_MODULE,
        { allowUnregistered: true }
      )
      // A store may list the provider without the plugin.
      if (!module) throw refusedPayment("not_set_up")
      return module
    },
    medusa: medusaReader(container),
  }
}
