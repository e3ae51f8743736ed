import { MedusaError } from "@medusajs/framework/utils"

import type { Accounts, PayoutRow, TransactionRow } from "../../modules/payment-service"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { PaymentServiceError } from "../../service/errors"
import type { RowId } from "../../settlement/ids"
import { type ReadOutcome, readTransaction } from "../../transactions/read-transaction"
import { LOOK_MS } from "../../transactions/refund-proof"
import { reportSettlement } from "../settle/report-settlement"
import { purposeOf } from "./draft-payout"
import type { PayoutPorts } from "./ports"
import { PayoutRefused } from "./refused"
import { findRefundTarget } from "./what-is-paid-back"

/**
 * Reads the transaction whose money a payout pays back, right before it is sent: the service may have taken that money
 * back itself, and its callback may be lost. What the read says is recorded and reported as a settle does it, and nothing
 * is done in Medusa. No lock is held meanwhile: what others record after it is seen under the target's lock.
 *
 * @returns the id of the transaction, null when the payout pays nothing back
 * @throws PayoutRefused when the service does not say that the payment stands as the admin has seen it
 */
export async function requireStillPaid(
  ports: PayoutPorts,
  accounts: Accounts,
  payout: PayoutRow,
  again: boolean
): Promise<RowId | null> {
  const row = await findPaidBack(ports, payout, again)
  if (!row) return null
  if (!accounts.findForRow(row)) throw new PayoutRefused("payment_account_gone", again)
  const { row: now, decision } = await read(ports, accounts, row, again)
  await reportSettlement(ports.settle, row, now)
  if (!decision.isMoney) {
    throw new PayoutRefused(now.exception === "reversed" ? "taken_back" : "not_confirmed", again)
  }
  if (now.exception !== row.exception || now.read_amount !== row.read_amount) {
    // It may be in order by now, and then nobody but the watcher settles it.
    await ports.settle.module.dueTransactions.hint(row.id)
    throw new PayoutRefused("payment_changed", again)
  }
  return row.id
}

/** A payout that is sent again pays back the payment that it was sent for, whatever is due by now. */
async function findPaidBack(
  { settle }: PayoutPorts,
  payout: PayoutRow,
  again: boolean
): Promise<TransactionRow | null> {
  if (!again) return (await findRefundTarget(settle, purposeOf(payout)))?.row ?? null
  const { transaction_row_id: rowId } = payout
  return rowId === null ? null : await settle.module.transactions.get(rowId)
}

async function read(
  { module, settle }: PayoutPorts,
  accounts: Accounts,
  row: TransactionRow,
  again: boolean
): Promise<ReadOutcome> {
  try {
    return await readTransaction(settle.module, accounts, row, { timeoutMs: LOOK_MS })
  } catch (error) {
    if (!(error instanceof PaymentServiceError) && !MedusaError.isMedusaError(error)) throw error
    module.logger.warn(
      `Payment Service: a payout is not sent, because ${row.id} could not be read: ${reasonOf(error)}`
    )
    throw new PayoutRefused("not_confirmed", again)
  }
}
