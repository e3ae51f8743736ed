import { MedusaError } from "@medusajs/framework/utils"

import type { Accounts, PayoutRow, TransactionRow } from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { PaymentServiceError } from "../../service/errors"
import { compareSums } from "../../settlement/amount"
import { paidSum } from "../../settlement/transaction"
import { type ReadOutcome, readTransaction } from "../../transactions/read-transaction"
import { LOOK_MS } from "../../transactions/refund-proof"
import { reportSettlement } from "../settle/report"
import { purposeOf } from "./draft-payout"
import type { SettlePorts } from "../ports"
import { PayoutRefused } from "./refused"
import { findRefundTarget } from "./refund-target"

/**
 * Reads the transaction whose money a payout pays back, right before the sending: the service may have taken that money back
 * itself, and its callback may be lost. The read is recorded and reported as in a settle, but nothing is done in Medusa. No lock
 * is held during it: later records of others are seen under the target's lock.
 *
 * @returns the id of the transaction, null when the payout pays nothing back
 * @throws PayoutRefused when the service does not confirm the payment in the state that the admin saw
 */
export async function requireStillPaid(
  ports: SettlePorts,
  accounts: Accounts,
  payout: PayoutRow,
  again: boolean
): Promise<string | null> {
  const row = await findPaidBack(ports, payout, again)
  if (!row) return null
  if (!accounts.findForRow(row)) throw new PayoutRefused("payment_account_gone", again)
  const { row: now, decision } = await read(ports, accounts, row, again)
  await reportSettlement(ports, row, now)
  if (!decision.isMoney) {
    throw new PayoutRefused(now.exception === "reversed" ? "taken_back" : "not_confirmed", again)
  }
  if (
    now.exception !== row.exception ||
    compareSums(paidSum(now).amount, paidSum(row).amount) !== 0
  ) {
    // The payment may be in order now, and then only the watcher would settle it.
    await ports.module.dueTransactions.hint(row.id)
    throw new PayoutRefused("payment_changed", again)
  }
  return row.id
}

/** A repeated payout pays back the payment of its first sending, whatever is due now. */
async function findPaidBack(ports: SettlePorts, payout: PayoutRow, again: boolean) {
  if (!again) return (await findRefundTarget(ports, purposeOf(payout)))?.row ?? null
  const { transaction_row_id: rowId } = payout
  return rowId === null ? null : await ports.module.transactions.get(rowId)
}

async function read(
  { module }: SettlePorts,
  accounts: Accounts,
  row: TransactionRow,
  again: boolean
): Promise<ReadOutcome> {
  try {
    return await readTransaction(module, accounts, row, { timeoutMs: LOOK_MS })
  } catch (error) {
    if (!(error instanceof PaymentServiceError) && !MedusaError.isMedusaError(error)) throw error
    module.logger.warn(
      `Payment Service: a payout is not sent, because ${row.id} could not be read: ${reasonOf(error)}`
    )
    throw new PayoutRefused("not_confirmed", again)
  }
}
