import type { MedusaContainer } from "@medusajs/framework/types"

import {
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { sendEvents } from "../events/send-events"

/** All that payouts reach: our tables, the clock and the service (`module`), and Medusa's event bus. */
export interface PayoutPorts {
  module: Pick<
    PaymentServiceModuleService,
    "accounts" | "clock" | "logger" | "payouts" | "listProblems"
  >
  sendEvents: () => Promise<void>
}

/** The ports of a running store. */
export function payoutPortsOf(container: MedusaContainer): PayoutPorts {
  return { module: paymentServiceModule(container), sendEvents: () => sendEvents(container) }
}
