import { namesTransaction, type Payment } from "../medusa/payments"
import { heldPayment } from "../medusa/sessions"
import type { TransactionRow } from "../modules/payment-service"
import type { Ports } from "./ports"

/** Medusa's payment of a transaction, made by the session `of` or by any other than `notOf`; else null. */
export async function findHeldPayment(
  ports: Ports,
  row: Pick<TransactionRow, "transaction_id" | "payment_collection_id" | "provider_id">,
  wanted: { of: string } | { notOf: string | null }
): Promise<Payment | null> {
  const { payment_collection_id, provider_id } = row
  const sessions = await ports.medusa.listSessions({ payment_collection_id, provider_id })
  const isWanted = (id: string) => ("of" in wanted ? id === wanted.of : id !== wanted.notOf)
  const found = sessions.find(
    (session) => isWanted(session.id) && namesTransaction(session, row) && heldPayment(session)
  )
  return found?.payment ?? null
}
