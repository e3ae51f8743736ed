import type { TransactionRow } from "../modules/payment-service"
import { refusedPayment } from "../modules/payment-service/refused-deed"
import { compareSums } from "../settlement/amount"
import { isOpenSession } from "../settlement/evidence"
import { isClosed } from "../settlement/transaction"
import { type Data, findRow, requireSessionId } from "./find-row"
import { openTransaction, type OpenTransactionInput } from "./open-transaction"
import type { Ports } from "./ports"

/**
 * Call it when core updates a session. Another amount or currency needs another transaction; the same ones change nothing. When
 * the payment is over, no other is opened, because no page would show it.
 *
 * @returns the row, and whether it is a new one; null when the payment is over and keeps its sum
 * @throws MedusaError `NOT_ALLOWED` when the payment is over and its sum is to change; or as `openTransaction` does
 */
export async function updateSession(
  ports: Ports,
  data: Data,
  input: Omit<OpenTransactionInput, "sessionId">
): Promise<{ row: TransactionRow; isNew: boolean } | null> {
  const row = await findRow(ports, data)
  if (
    row &&
    compareSums(row.accepted?.amount ?? row.amount, input.amount) === 0 &&
    row.currency === input.currency.toUpperCase()
  ) {
    return { row, isNew: false }
  }
  const sessionId = row?.session_id ?? requireSessionId(data)
  const session = await ports.medusa.findSession(sessionId)
  const status = session?.status ?? ""
  const isToBePaid = isOpenSession(status) || status === "pending_authorization"
  if (session && (!isToBePaid || (row && isClosed(row.state)))) {
    // A settle closes a session by updating its status only, and that update arrives here with the same sum.
    if (
      compareSums(session.amount, input.amount) === 0 &&
      session.currency === input.currency.toLowerCase()
    ) {
      return null
    }
    throw refusedPayment("declined")
  }
  return { row: await openTransaction(ports, { ...input, sessionId }), isNew: true }
}
