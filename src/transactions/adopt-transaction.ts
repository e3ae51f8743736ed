import { MedusaError } from "@medusajs/framework/utils"

import type { TransactionRow } from "../modules/payment-service"
import { compareAmounts } from "../settlement/amount"
import type { RowId, SessionId } from "../settlement/ids"
import type { Ports } from "./ports"
import { findSessionOrigin } from "./session-origin"

/**
 * Binds the row of a payment that a person accepted to the session that was made for it. The service is not called, because the
 * transaction exists and is paid. Only our own workflows can ask for this, because the store API cannot set a session's context.
 *
 * @throws MedusaError `NOT_ALLOWED` unless exactly this amount was accepted for the transaction
 */
export async function adoptTransaction(
  ports: Ports,
  adopted: { rowId: RowId; sessionId: SessionId; amount: string; currency: string }
): Promise<TransactionRow> {
  const { module } = ports
  const row = await module.transactions.get(adopted.rowId)
  if (
    row.accepted === null ||
    compareAmounts(row.accepted.amount, adopted.amount) !== 0 ||
    row.currency !== adopted.currency.toUpperCase()
  ) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `Transaction ${row.id} was not accepted for ${adopted.amount} ${adopted.currency.toUpperCase()}.`
    )
  }
  const origin = await findSessionOrigin(ports, adopted.sessionId, row.method)
  return await module.transactions.change(row.id, {
    session_id: adopted.sessionId,
    payment_collection_id: origin.paymentCollectionId,
    cart_id: origin.cartId,
    order_id: origin.order?.id ?? null,
  })
}
