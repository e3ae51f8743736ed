import { MedusaError } from "@medusajs/framework/utils"

import type { PaymentServiceModuleService, TransactionRow } from "../../modules/payment-service"
import { readTransaction } from "../../modules/payment-service/read-transaction"
import { compareAmounts } from "../../settlement/amount"
import { findOrderToPay, followRefundDueOf, listRefundAmounts } from "./store"

/** An admin waits for this read. */
const LOOK_MS = 2_000

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
  const asked = await askRefund(module, row, refund.amount)
  throw new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    asked.exception === "reversed"
      ? "The payment service took this payment back, so nothing of it is to be paid back and nothing was booked. " +
          'Record it at the problem "reversed" of this payment.'
      : "The payment service cannot refund, so nothing was booked. Pay the money back, then record it at the " +
          'problem "refund due" of this payment.'
  )
}

/**
 * What an order's refund was asked for is due from now on, unless the service has taken the money back: it is
 * asked, because a person is told to pay.
 *
 * @returns the row as it is now
 */
async function askRefund(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  amount: string
): Promise<TransactionRow> {
  if (!(await findOrderToPay(row.payment_collection_id))) {
    return row
  }
  await module.transactions.askRefund(row.id, amount)
  await readTransaction(module, row, { timeoutMs: LOOK_MS }).catch(() => undefined)
  const now = await followRefundDueOf(module, row)
  if (now.exception) {
    await module.problems.follow(now)
  }
  return now
}
