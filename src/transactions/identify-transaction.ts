import type {
  Accounts,
  PaymentServiceModuleService,
  TransactionRow,
} from "../modules/payment-service"
import { refused } from "../modules/payment-service/refused-deed"
import type { TransactionDetails } from "../service/client"
import { PaymentServiceError } from "../service/errors"
import type { TransactionId } from "../settlement/ids"
import { isSameMerchant } from "../settlement/merchant-account"

/** Whether a transaction of the service is the one that was created for this row: it has our reference and our merchant. */
export function isCreatedFor(row: TransactionRow, details: TransactionDetails): boolean {
  return details.payload === row.id && isSameMerchant(details.merchantId, row.merchant_id)
}

/**
 * Gives a row whose creation had no reply the transaction id that an admin found at the service. The id counts only when the
 * service answers for it with our reference and our merchant. The problem that the row's payment is not here ends with it.
 *
 * @throws MedusaError `NOT_ALLOWED` when the row has an id already, or the service does not confirm this one
 * @throws PaymentServiceError when the service cannot be read
 */
export async function identifyTransaction(
  module: PaymentServiceModuleService,
  accounts: Accounts,
  row: TransactionRow,
  transactionId: TransactionId
): Promise<void> {
  if (row.transaction_id !== null) {
    throw refused("id_known", { id: row.transaction_id })
  }
  const account = accounts.getForRow(row)
  const details = await accounts
    .client(account)
    .getTransaction(transactionId)
    .catch((error: unknown) => {
      if (error instanceof PaymentServiceError && error.kind === "not_found") return null
      throw error
    })
  if (!details || !isCreatedFor(row, details)) {
    throw refused("id_of_other", { id: transactionId, reference: row.id })
  }
  if (!(await module.openings.bind(row.id, details.id, details.status))) {
    throw refused("id_of_other", { id: transactionId, reference: row.id })
  }
  const answered = await module.listProblems(
    { kind: "payment_not_here", transaction_row_id: row.id, closed_at: null },
    { take: null }
  )
  await module.problems.close(answered.map(({ cause }) => cause))
}
