import { MedusaError } from "@medusajs/framework/utils"

import type { PaymentServiceModuleService, TransactionRow } from "../../modules/payment-service"
import { openRefundDue } from "../../modules/payment-service/refund-due"
import { compareAmounts } from "../../settlement/amount"
import { findOrderId, listRefundAmounts } from "./store"

/**
 * Lets a refund through that an unused proof covers. How many proofs are used is counted from the refunds
 * that Medusa holds, the one in question among them, so a refund that Medusa could not finish uses up
 * nothing, and two at once cannot share one proof.
 *
 * @throws MedusaError `NOT_ALLOWED` when no proof of exactly this amount is left; for an order, the problem
 * *refund due* is open then
 */
export async function requireRefundProof(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  refund: { amount: string; refundId: string | null }
): Promise<void> {
  const isThisAmount = (amount: string) => compareAmounts(amount, refund.amount) === 0
  const proofs = await module.listRefundProofs({ transaction_row_id: row.id }, { take: null })
  const proven = proofs.filter(({ amount }) => isThisAmount(amount)).length
  const booked = (await listRefundAmounts(refund.refundId)).filter(isThisAmount).length
  if (proven >= Math.max(booked, 1)) {
    return
  }
  const orderId = await findOrderId(row.payment_collection_id)
  if (orderId) {
    await openRefundDue(module, row, { amount: refund.amount, orderId })
  }
  throw new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    "The payment service cannot refund, so nothing was booked. Pay the money back, then record it at the " +
      'problem "refund due" of this payment.'
  )
}
