import type { MedusaContainer } from "@medusajs/framework/types"

import {
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { sendEvents } from "../events/send-events"
import { settlePortsOf, type SettlePorts } from "../settle/ports"

/** All that payouts reach: our tables, the clock and the service (`module`), problems and Medusa. */
export interface PayoutPorts {
  module: Pick<
    PaymentServiceModuleService,
    "accounts" | "clock" | "logger" | "payouts" | "listProblems" | "problems"
  >
  /** Problems whose money payouts pay back. */
  settle: SettlePorts
  sendEvents: () => Promise<void>
}

/** The ports of a running store. */
export function payoutPortsOf(container: MedusaContainer): PayoutPorts {
  return {
    module: paymentServiceModule(container),
    settle: settlePortsOf(container),
    sendEvents: () => sendEvents(container),
  }
}
