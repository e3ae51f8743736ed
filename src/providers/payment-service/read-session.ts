import { MedusaError } from "@medusajs/framework/utils"

import type { TransactionRow } from "../../modules/payment-service"
import { readTransaction, type ReadOutcome } from "../../modules/payment-service/read-transaction"
import { decide } from "../../settlement/decide"
import { freshSince, isProvenSince, recordedRead } from "../../settlement/evidence"
import { toMedusaError } from "./service-errors"
import { textOf } from "./session-data"
import { findSession, paymentServiceModule } from "./store"

/** Data of a session or payment, as Medusa keeps it. */
export type Data = Record<string, unknown> | undefined

/** The row that session or payment data belongs to; data without one has never reached the service. */
export async function rowOf(data: Data): Promise<TransactionRow | null> {
  const module = paymentServiceModule()
  const transactionId = textOf(data, "transaction_id")
  const row = transactionId ? await module.findByTransactionId(transactionId) : null
  const sessionId = textOf(data, "session_id")
  return row ?? (sessionId ? await module.findBySession(sessionId) : null)
}

/** @throws MedusaError `NOT_FOUND` when there is none */
export async function requireRow(data: Data): Promise<TransactionRow> {
  const row = await rowOf(data)
  if (!row) {
    throw new MedusaError(
      MedusaError.Types.NOT_FOUND,
      "This payment is not known to the payment plugin. Please start the payment again."
    )
  }
  return row
}

export const CART_HAS_CHANGED =
  "The cart has changed since this payment was started. Please start the payment again."

/**
 * Reads the service and judges the answer against the session that the data belongs to.
 *
 * @throws MedusaError in words for the shopper when the service cannot be read
 */
export async function readSession(data: Data): Promise<ReadOutcome> {
  const { row, found } = await findRowAndSession(data)
  try {
    return await readTransaction(paymentServiceModule(), row, { medusa: found })
  } catch (error) {
    throw toMedusaError(error)
  }
}

/** The same, but a payment that was proven just now is judged as its row keeps it. */
export async function judgeSession(data: Data): Promise<Pick<ReadOutcome, "row" | "decision">> {
  const { row, found } = await findRowAndSession(data)
  const module = paymentServiceModule()
  const now = module.clock.now()
  if (isProvenSince(row, freshSince(now))) {
    const { statuses } = module.optionsForRow(row)
    return { row, decision: decide({ row, read: recordedRead(row), medusa: found, statuses, now }) }
  }
  return await readSession(data)
}

async function findRowAndSession(data: Data) {
  const row = await requireRow(data)
  const found = await findSession(textOf(data, "session_id") ?? row.session_id, row)
  if (found && found.paymentCollectionId !== row.payment_collection_id) {
    throw new MedusaError(MedusaError.Types.NOT_ALLOWED, "This payment belongs to another cart.")
  }
  return { row, found }
}
