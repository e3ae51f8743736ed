import { MedusaError } from "@medusajs/framework/utils"

import type { TransactionRow } from "../modules/payment-service"
import { compareAmounts } from "../settlement/amount"
import { followRefundDue } from "./follow-refund-due"
import type { Ports } from "./ports"
import { readTransaction } from "./read-transaction"
import { holdRefunds, withoutRefused } from "./refund-requests"

/** Short, because an admin waits for this read. */
export const LOOK_MS = 2_000

/**
 * Accepts a refund that an unused proof covers. The used proofs are counted from Medusa's refunds, this one included, so a refund
 * that Medusa could not finish uses up no proof, and two refunds at once cannot share one.
 *
 * @throws MedusaError `NOT_ALLOWED` when no proof of exactly this amount is left; for an order, the problem *refund due* is open
 * then
 */
export async function requireRefundProof(
  ports: Ports,
  { id }: Pick<TransactionRow, "id">,
  refund: { amount: string; refundId: string | null }
): Promise<void> {
  const refused = await holdRefunds(ports.module, id, () => refuseUnproven(ports, id, refund))
  if (!refused) {
    return
  }
  const asked = refused.isDue ? await followRequest(ports, refused.row) : refused.row
  throw new MedusaError(
    MedusaError.Types.NOT_ALLOWED,
    asked.exception === "reversed"
      ? "The payment service took this payment back, so nothing of it is to be paid back and nothing was booked. " +
          'Record it at the problem "reversed" of this payment.'
      : "The payment service cannot refund, so nothing was booked. Pay the money back, then record it at the " +
          'problem "refund due" of this payment.'
  )
}

/** @returns null when a proof covers the refund; else it is recorded as asked for, if the payment is an order's */
async function refuseUnproven(
  { module, medusa }: Ports,
  id: TransactionRow["id"],
  { amount, refundId }: { amount: string; refundId: string | null }
): Promise<{ row: TransactionRow; isDue: boolean } | null> {
  const row = await module.transactions.get(id)
  const isThisAmount = (each: { amount: string }) => compareAmounts(each.amount, amount) === 0
  const proofs = await module.listRefundProofs({ transaction_row_id: id }, { take: null })
  const refunds = refundId ? await medusa.listRefundsOfSamePayment(refundId) : []
  // A refund that took so long that its process seemed dead is deleted by now, see `endRefunds`.
  const isThere = refundId === null || refunds.some((refund) => refund.id === refundId)
  const booked = withoutRefused(refunds, row).filter(isThisAmount).length
  if (isThere && proofs.filter(isThisAmount).length >= Math.max(booked, 1)) {
    return null
  }
  const isDue = isThere && (await medusa.findOrderId(row.payment_collection_id)) !== null
  if (isDue) {
    await module.transactions.askRefund(id, amount, refundId)
  }
  return { row, isDue }
}

/**
 * Opens the problem *refund due* for a requested refund. It reads the service first, because a person must not pay back money
 * that the service has taken back itself.
 *
 * @returns the row as it is now
 */
async function followRequest(ports: Ports, row: TransactionRow): Promise<TransactionRow> {
  const { module } = ports
  const accounts = await module.accounts()
  await readTransaction(module, accounts, row, { timeoutMs: LOOK_MS }).catch(() => undefined)
  const { row: now } = await followRefundDue(ports, row.id)
  if (now.exception) {
    await module.problems.follow(now)
  }
  return now
}
