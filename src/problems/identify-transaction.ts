import type {
  Accounts,
  PaymentServiceModuleService,
  TransactionRow,
} from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { endOfWait, settleTransaction } from "../payments/queue"
import { isSameMerchant } from "../payments/rules/transaction"
import { reasonOf } from "../refusals/reason-of"
import { refused } from "../refusals/refused"
import { nullIfNotFound } from "../service/errors"

/**
 * Gives a row whose creation had no reply the id that the service's account area shows, and settles it, or leaves that to the
 * watcher. The id counts only when the service answers for it with our reference and our merchant.
 */
export async function identifyTransaction(
  ports: SettlePorts,
  rowId: string,
  transactionId: string,
  by: string
): Promise<void> {
  const { module } = ports
  const giveUpAt = endOfWait()
  await module.openings.giveUpUnanswered()
  const row = await module.transactions.get(rowId)
  if (row.transaction_id?.toLowerCase() !== transactionId.toLowerCase()) {
    if (row.transaction_id !== null) throw refused("id_known", { id: row.transaction_id })
    // A reply may still come, and bring the id.
    if (row.state === "creating") throw refused("being_opened")
    if (!(await bindConfirmed(module, await module.accounts(), row, transactionId))) {
      const { transaction_id: bound } = await module.transactions.get(rowId)
      throw bound
        ? refused("id_known", { id: bound })
        : refused("id_of_other", { id: transactionId, reference: rowId })
    }
    await module.enterAction(rowId, "identified", by)
  }
  await settleTransaction(ports, rowId, giveUpAt).catch((error: unknown) => {
    module.logger.warn(
      `Payment Service: transaction ${transactionId} (${rowId}) has its id, and is settled later: ${reasonOf(error)}`
    )
  })
}

/** Gives the row this id, if the service answers for it with our reference and merchant; returns whether the row has it now. */
export async function bindConfirmed(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  row: TransactionRow,
  transactionId: string
): Promise<boolean> {
  const client = accounts.client(accounts.getForRow(row))
  const details = await nullIfNotFound(client.getTransaction(transactionId))
  const isOurs = details?.payload === row.id && isSameMerchant(details.merchantId, row.merchant_id)
  return isOurs && (await module.openings.bind(row.id, details.id, details.status))
}
