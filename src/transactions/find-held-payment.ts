import type { MedusaContainer } from "@medusajs/framework/types"

import { namesTransaction, type Payment } from "../medusa/payments"
import { heldPayment, listSessions } from "../medusa/sessions"
import type { TransactionRow } from "../modules/payment-service"

/** Medusa's payment of a transaction, made by the session `of` or by any other than `notOf`; else null. */
export async function findHeldPayment(
  container: MedusaContainer,
  row: Pick<TransactionRow, "transaction_id" | "payment_collection_id" | "provider_id">,
  wanted: { of: string } | { notOf: string | null }
): Promise<Payment | null> {
  const { payment_collection_id, provider_id } = row
  const sessions = await listSessions(container, { payment_collection_id, provider_id })
  const isWanted = (id: string) => ("of" in wanted ? id === wanted.of : id !== wanted.notOf)
  const found = sessions.find(
    (session) => isWanted(session.id) && namesTransaction(session, row) && heldPayment(session)
  )
  return found?.payment ?? null
}
