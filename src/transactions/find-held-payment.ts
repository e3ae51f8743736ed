import { namesTransaction, type Payment } from "../medusa/payments"
import type { TransactionRow } from "../modules/payment-service"
import type { Ports } from "./ports"

/**
 * Medusa's payment of a transaction, made by the session `of` or by any other than `notOf`; else null. It reads payments instead
 * of sessions, because another tab can delete a session while it becomes a payment.
 */
export async function findHeldPayment(
  { medusa }: Ports,
  row: Pick<TransactionRow, "transaction_id" | "payment_collection_id" | "provider_id">,
  wanted: { of: string } | { notOf: string | null }
): Promise<Payment | null> {
  const payments = await medusa.listPayments({ payment_collection_id: row.payment_collection_id })
  const isWanted = ({ sessionId }: Payment) =>
    "of" in wanted ? sessionId === wanted.of : sessionId !== wanted.notOf
  return (
    payments.find(
      (payment) => isWanted(payment) && namesTransaction(payment, row) && !payment.isCanceled
    ) ?? null
  )
}
