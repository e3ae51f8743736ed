import type { MedusaContainer } from "@medusajs/framework/types"

import type { TransactionRow } from "../../modules/payment-service"
import { closeSession } from "../settle/apply-action"
import { loadMedusaState } from "../settle/load-medusa-state"

/** A person took care of the money: a cart that is still a cart is paid by another payment. */
export async function closeSessionOf(
  container: MedusaContainer,
  row: TransactionRow
): Promise<void> {
  const { session, order } = await loadMedusaState(container, row)
  if (session && !order) {
    await closeSession(container, session.id)
  }
}
