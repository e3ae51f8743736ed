import type { MedusaContainer } from "@medusajs/framework/types"

import { type MedusaReader, medusaReader } from "../medusa/reader"
import { paymentServiceModule, type PaymentServiceModuleService } from "../modules/payment-service"

/** The parts of our module that are needed to bring a payment to Medusa. */
export type OurModule = Pick<
  PaymentServiceModuleService,
  | "accounts"
  | "clock"
  | "logger"
  | "findBySession"
  | "findByTransactionId"
  | "guestPayerId"
  | "addressDigest"
  | "listTransactions"
  | "listProblems"
  | "retrieveProblem"
> & {
  leases: Pick<Part<"leases">, "hold" | "tryHold">
  journal: Pick<Part<"journal">, "add">
  ledger: Pick<Part<"ledger">, "of" | "add" | "isConcerned">
  refundPayouts: Pick<Part<"refundPayouts">, "of" | "goneBackOf">
  dueTransactions: Pick<Part<"dueTransactions">, "hint" | "makeStatusDue">
  openings: Pick<Part<"openings">, "findOthers" | "recordAsked" | "recordCreated" | "recordFailed">
  problems: Pick<
    Part<"problems">,
    "report" | "follow" | "close" | "closeByPerson" | "closeKnownStatuses" | "findUnfollowed"
  >
  transactions: Pick<
    Part<"transactions">,
    | "get"
    | "change"
    | "recordRead"
    | "recordRefusal"
    | "recordProgress"
    | "publish"
    | "publishSettled"
    | "findUnpublished"
    | "markDeferred"
    | "isOrderKnown"
    | "payabilityIn"
    | "listPaidIn"
    | "providersIn"
  >
}
type Part<Name extends keyof PaymentServiceModuleService> = PaymentServiceModuleService[Name]

/**
 * Everything outside that a transaction's functions use: our tables, the clock and the service (`module`), and Medusa's records
 * (`medusa`).
 */
export interface Ports {
  module: OurModule
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
