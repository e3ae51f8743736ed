import type { MedusaContainer } from "@medusajs/framework/types"

import type { PaymentServiceModuleService, TransactionRow } from "../../modules/payment-service"
import { closeSession } from "../settle/apply-action"
import { loadMedusaState } from "../settle/load-medusa-state"

/**
 * A person took care of money that pays for no order: nothing happens with it by itself any more, and the
 * cart cannot be completed with it.
 */
export async function closeForGood(
  container: MedusaContainer,
  module: PaymentServiceModuleService,
  row: TransactionRow
): Promise<void> {
  await module.updateTransactions({
    id: row.id,
    handled_at: row.handled_at ?? module.clock.now(),
    watch_at: null,
  })
  const { session, order } = await loadMedusaState(container, row)
  if (session && !order) {
    await closeSession(container, session.id)
  }
}
