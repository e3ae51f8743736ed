import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import type { HeldMoney } from "../../modules/payment-service/held-money"
import { followRefundDue } from "../../modules/payment-service/refund-due"

/**
 * Lets the problem *refund due* of a transaction follow what Medusa holds and the service says now.
 *
 * @returns what is due, and what Medusa holds
 */
export async function followRefundDueOf(
  container: MedusaContainer,
  rowId: string
): Promise<{ due: string; held: HeldMoney }> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  return await followRefundDue(module, query, rowId)
}
