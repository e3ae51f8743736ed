import type { TransactionRow } from "../../modules/payment-service"
import { refused } from "../../modules/payment-service/refused-deed"
import { loadMedusaState } from "../../transactions/load-medusa-state"
import { requireLock } from "../completion/cart-lock"
import type { SettlePorts } from "../ports"
import { closeSession } from "../settle/apply-action"

/**
 * Takes an unused payment out of automatic handling: `close` records on the row that a person took care of the money, and the
 * session is canceled while there is no order, so that the cart can be paid again. The caller must hold the target, as
 * `actOnProblem` does: a completion that has just seen the money would still place the order.
 *
 * @throws MedusaError `NOT_ALLOWED` when Medusa has taken the payment in the meantime
 */
export async function closeHandledPayment(
  ports: SettlePorts,
  row: TransactionRow,
  close: () => Promise<void>
): Promise<void> {
  const { session, order, payment, cart } = await loadMedusaState(ports, row)
  // A payment of a cart was taken for an order that core could not finish. Core would finish it without asking us again.
  if (payment && !payment.canceled && !cart) throw refused("taken_meanwhile")
  requireLock()
  await close()
  if (session && !order) {
    await closeSession(ports, session.id)
  }
}
