import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import {
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { sendEvents } from "../events/send-events"
import { settlePortsOf, type SettlePorts } from "../ports"

/** Everything outside that payouts use: our tables, the clock and the service (`module`), problems and Medusa. */
export interface PayoutPorts {
  module: Pick<
    PaymentServiceModuleService,
    "accounts" | "clock" | "logger" | "payouts" | "listProblems" | "problems"
  >
  /** The ports of problems whose money payouts pay back. */
  settle: SettlePorts
  sendEvents: () => Promise<void>
  /** Waits for this many milliseconds. */
  wait: (ms: number) => Promise<unknown>
  /** Starts a measurement; the returned function gives the milliseconds since then. */
  stopwatch: () => () => number
}

/** The ports of a running store. */
export function payoutPortsOf(container: MedusaContainer): PayoutPorts {
  return {
    module: paymentServiceModule(container),
    settle: settlePortsOf(container),
    sendEvents: () => sendEvents(container),
    wait: (ms) => sleep(ms),
    stopwatch,
  }
}

/** Two clocks, because only one of them shows that the machine was suspended. */
function stopwatch(): () => number {
  const [monotonic, wall] = [performance.now(), Date.now()]
  return () => Math.max(performance.now() - monotonic, Math.abs(Date.now() - wall))
}
