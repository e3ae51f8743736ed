import { setTimeout as sleep } from "node:timers/promises"

import type { MedusaContainer } from "@medusajs/framework/types"

import {
  paymentServiceModule,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { sendEvents } from "../events/send-events"
import { settlePortsOf, type SettlePorts } from "../ports"

/** All that payouts reach: our tables, the clock and the service (`module`), problems and Medusa. */
export interface PayoutPorts {
  module: Pick<
    PaymentServiceModuleService,
    "accounts" | "clock" | "logger" | "payouts" | "listProblems" | "problems"
  >
  /** Problems whose money payouts pay back. */
  settle: SettlePorts
  sendEvents: () => Promise<void>
  /** Waits for so many milliseconds. */
  wait: (ms: number) => Promise<unknown>
  /** Starts to measure; the function that it returns says how many milliseconds have passed. */
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

/** A machine that was suspended shows it by one of the two clocks. */
function stopwatch(): () => number {
  const [monotonic, wall] = [performance.now(), Date.now()]
  return () => Math.max(performance.now() - monotonic, Math.abs(Date.now() - wall))
}
