import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import {
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import type { OurModule } from "../../transactions/ports"
import { settlePortsOf, type SettlePorts } from "../ports"

/** Everything outside that payouts use: also what a settle uses, because they pay back money of payments. */
export interface PayoutPorts extends SettlePorts {
  module: OurModule & Pick<PaymentServiceModuleService, "payouts">
  /** Waits for this many milliseconds. */
  wait: (ms: number) => Promise<unknown>
}

/** The ports of a running store. */
export function payoutPortsOf(container: MedusaContainer): PayoutPorts {
  return {
    ...settlePortsOf(container),
    module: paymentServiceModule(container),
    wait: (ms) => sleep(ms),
  }
}
