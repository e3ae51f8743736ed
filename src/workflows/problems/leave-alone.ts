import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"

import type { TransactionRow } from "../../modules/payment-service"
import { closeSession } from "../settle/apply-action"
import { loadMedusaState } from "../settle/load-medusa-state"

/**
 * A person took care of money that pays for no order: `close` says so on its row, and the cart, if it is
 * still one, is paid by another payment. Only to be called while its target is held, as `actOnProblem` does:
 * a completion that has just seen the money would order it all the same.
 *
 * @throws MedusaError `NOT_ALLOWED` when Medusa has taken the payment in the meantime
 */
export async function leaveAlone(
  container: MedusaContainer,
  row: TransactionRow,
  close: () => Promise<void>
): Promise<void> {
  const { session, order, payment } = await loadMedusaState(container, row)
  if (payment && !payment.canceled) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "Medusa has taken this payment in the meantime. Please look at it again."
    )
  }
  await close()
  if (session && !order) {
    await closeSession(container, session.id)
  }
}
