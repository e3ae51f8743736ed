import { MedusaError } from "@medusajs/framework/utils"

import type { TransactionRow } from "../modules/payment-service"
import { compareSums } from "../settlement/amount"
import type { Ports } from "./ports"
import { findSessionOrigin } from "./session-origin"

/**
 * Binds the row of a paid transaction to the session that was made for it, because its own is gone or a person accepted another
 * sum. The service is not called, because the transaction exists and is paid. Only our own workflows can ask for this, because the
 * store API cannot set a session's context.
 *
 * @throws MedusaError `NOT_ALLOWED` unless exactly this amount was paid for the cart, or accepted
 */
export async function adoptTransaction(
  ports: Ports,
  adopted: { rowId: string; sessionId: string; amount: string; currency: string }
): Promise<TransactionRow> {
  const { module } = ports
  const row = await module.transactions.get(adopted.rowId)
  const { amount } = row.accepted ?? row
  if (
    row.state !== "paid" ||
    compareSums(adopted.amount, amount) !== 0 ||
    row.currency !== adopted.currency.toUpperCase()
  ) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      `Transaction ${row.id} was not paid, or is not accepted, for ${adopted.amount} ${adopted.currency.toUpperCase()}.`
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
