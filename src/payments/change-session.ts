import { MedusaError } from "@medusajs/framework/utils"

import type { TransactionRow } from "../modules/payment-service"
import { refusedPayment } from "../refusals/refused"
import type { Sum } from "../texts"
import { compareSums } from "../values/amount"
import { listHeldPayments } from "./load-medusa-state"
import type { Ports } from "./ports"
import { type Data, findRow, lookAt, textOf } from "./read-transaction"

/**
 * Call it when a session is updated: a settle does that to change its status. Another sum needs a session, and a transaction, of its
 * own.
 *
 * @throws MedusaError `NOT_ALLOWED` when the sum is to change
 */
export async function requireSameSum(
  ports: Ports,
  data: Data,
  { amount, currency }: Sum
): Promise<void> {
  const sessionId = textOf(data, "session_id")
  const session = sessionId && (await ports.medusa.findSession(sessionId))
  if (!session) return
  const isSame =
    compareSums(session.amount, amount) === 0 && session.currency === currency.toLowerCase()
  if (!isSame) throw refusedPayment("cart_changed")
}

/**
 * Call it when core deletes a session. It refuses for a paid one, because Medusa forgets a deleted session, and its money with
 * it. A session that is not paid, or cannot be read just now, may be deleted, so that a shopper can always edit the cart.
 *
 * @throws MedusaError `NOT_ALLOWED` when the session has money
 */
export async function releaseSession(ports: Ports, data: Data): Promise<void> {
  const row = await findRow(ports, data)
  if (row && (await mustNotBeDeleted(ports, row, textOf(data, "session_id") ?? row.session_id))) {
    throw refusedPayment("being_confirmed")
  }
}

/**
 * Call it when core cancels a payment, also in compensation. It refuses for a paid one, because a canceled payment can never be
 * captured. The service cannot cancel, so an unpaid transaction stays watched.
 *
 * @throws MedusaError `NOT_ALLOWED` when it is paid
 */
export async function requireCancelable(ports: Ports, data: Data): Promise<void> {
  const row = await findRow(ports, data)
  if (row && (await holdsMoney(ports, row))) throw refusedPayment("not_cancelable")
}

/**
 * Whether deleting the session would lose money. Two tabs may have sessions of one transaction; the one through which Medusa took
 * the money must stay.
 */
async function mustNotBeDeleted(ports: Ports, row: TransactionRow, sessionId: string) {
  if (row.handled_at) return false
  const held = await listHeldPayments(ports, row)
  if (held.length) return held.some((payment) => payment.sessionId === sessionId)
  return sessionId === row.session_id && (await holdsMoney(ports, row))
}

/** Whether the row, or a read now, shows it paid, and no person has taken care of it. */
async function holdsMoney(ports: Ports, row: TransactionRow): Promise<boolean> {
  if (row.handled_at || !row.transaction_id) return false
  if (row.paid_at) return true
  const now = await lookAt(ports.module, await ports.module.accounts(), row)
  return now.paid_at !== null
}

/**
 * Binds the row of a paid transaction to the session that was made for it, because its own is gone or a person accepted another
 * sum. Only our own workflows can ask for this, because the store API cannot set a session's context.
 *
 * @throws MedusaError `NOT_ALLOWED` unless exactly this amount was paid for the cart, or accepted
 */
export async function adoptTransaction(
  ports: Ports,
  adopted: { rowId: string; sessionId: string; amount: string; currency: string }
): Promise<TransactionRow> {
  const { module, medusa } = ports
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
  const { collectionId, cartId, orderId } = await medusa.findSessionSubject(adopted.sessionId)
  return await module.transactions.change(row.id, {
    session_id: adopted.sessionId,
    payment_collection_id: collectionId,
    cart_id: cartId,
    order_id: orderId,
  })
}
