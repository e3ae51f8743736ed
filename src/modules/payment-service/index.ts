import { Module } from "@medusajs/framework/utils"

import checkOptions from "./loaders/check-options"
import PaymentServiceModuleService from "./service"

export const PAYMENT_SERVICE_MODULE = "payment_service"

export default Module(PAYMENT_SERVICE_MODULE, {
  service: PaymentServiceModuleService,
  loaders: [checkOptions],
})

export type { AccountOptions, AccountOptionsInput, PaymentServicePluginOptions } from "./options"
export type { CallbackRow, ProblemRow, TransactionRow, WatcherRunRow } from "./service"
export { PaymentServiceModuleService }
