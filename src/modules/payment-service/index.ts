import type { MedusaContainer } from "@medusajs/framework/types"
import { Module } from "@medusajs/framework/utils"

import PaymentServiceModuleService from "./service"

export const PAYMENT_SERVICE_MODULE = "payment_service"

export default Module(PAYMENT_SERVICE_MODULE, {
  service: PaymentServiceModuleService,
})

export function paymentServiceModule(container: MedusaContainer): PaymentServiceModuleService {
  return container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
}

export type { Accounts } from "../../settings/accounts"
export type { ClaimedRow } from "../../payments/statements/due-transactions"
export type { AccountOptions } from "../../settings/options"
export type { LedgerEntryRow, PayerRow, PayoutRow, ProblemRow, TransactionRow } from "./tables"
export { PaymentServiceModuleService }
