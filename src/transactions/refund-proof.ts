import { MedusaError } from "@medusajs/framework/utils"

import type { TransactionRow } from "../modules/payment-service"
import { compareAmounts } from "../settlement/amount"
import { followRefundDue } from "./follow-refund-due"
import type { Ports } from "./ports"
import { readTransaction } from "./read-transaction"

/** Short, because an admin waits for this read. */
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
  ports: Ports,
  row: TransactionRow,
  refund: { amount: string; refundId: string | null }
): Promise<void> {
  const { module, medusa } = ports
  const isThisAmount = (amount: string) => compareAmounts(amount, refund.amount) === 0
  const proofs = await module.listRefundProofs({ transaction_row_id: row.id }, { take: null })
  const proven = proofs.filter(({ amount }) => isThisAmount(amount)).length
  const refunds = refund.refundId ? await medusa.listRefundsBeside(refund.refundId) : []
  const booked = refunds.filter(({ amount }) => isThisAmount(amount)).length
  if (proven >= Math.max(booked, 1)) {
    return
  }
  const asked = await askRefund(ports, row, refund.amount)
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
 * Records that a refund was asked for, if the payment is an order's, and opens the problem *refund due*.
 * Before that the service is read: what it has taken back itself must not be paid back by a person.
 *
 * @returns the row as it is now
 */
async function askRefund(
  ports: Ports,
  row: TransactionRow,
  amount: string
): Promise<TransactionRow> {
  const { module, medusa } = ports
  if (!(await medusa.findOrderId(row.payment_collection_id))) {
    return row
  }
  await module.transactions.askRefund(row.id, amount)
  const accounts = await module.accounts()
  await readTransaction(module, accounts, row, { timeoutMs: LOOK_MS }).catch(() => undefined)
  const { row: now } = await followRefundDue(ports, row.id)
  if (now.exception) {
    await module.problems.follow(now)
  }
  return now
}
