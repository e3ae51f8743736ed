import type { TransactionRow } from "../modules/payment-service"
import { refusedPayment } from "../modules/payment-service/refused-deed"
import type { Ports } from "./ports"

/** Data of a session or payment, stored by Medusa or given to it by a caller. */
export type Data = Record<string, unknown> | undefined

/** The text of a key in such data; null when it is missing, empty or no text. */
export function textOf(data: Data, key: string): string | null {
  const value = data?.[key]
  return typeof value === "string" && value ? value : null
}

/** The row of a session's or payment's data; null when the service was never called for it. */
export async function findRow(ports: Ports, data: Data): Promise<TransactionRow | null> {
  const { module } = ports
  const transactionId = textOf(data, "transaction_id")
  const row = transactionId ? await module.findByTransactionId(transactionId) : null
  const sessionId = textOf(data, "session_id")
  return row ?? (sessionId ? await module.findBySession(sessionId) : null)
}

/** @throws MedusaError `NOT_FOUND` when no row belongs to the data */
export async function requireRow(ports: Ports, data: Data): Promise<TransactionRow> {
  const row = await findRow(ports, data)
  if (!row) throw refusedPayment("unknown_payment")
  return row
}

/** @throws MedusaError `INVALID_DATA` when the data names no session */
export function requireSessionId(data: Data): string {
  const sessionId = textOf(data, "session_id")
  if (!sessionId) throw refusedPayment("no_session")
  return sessionId
}
