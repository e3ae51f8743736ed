import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import { readTransaction } from "../../transactions/read-transaction"
import { isProvenSince } from "../../settlement/evidence"
import { READ_LEASE } from "../../settlement/timing"
import type { TransactionState } from "../../settlement/transaction-state"
import { applyDecision } from "./apply-decision"
import { reportSettlement } from "./report-settlement"

export interface Settled {
  state: TransactionState
  exception: string | null
  order_id: string | null
}

export interface SettleOptions {
  /** A proof of payment that was asked for since then is not asked for again. */
  provenSince?: Date
  /** Such a proof is left to whoever asked for it, and to the watcher should they die. */
  leaveProven?: boolean
}

/**
 * Settle: read one transaction at the service and bring Medusa to the state that it proves. Callback,
 * return page, storefront poll, inbox, watcher, reconciliation and admins all end here. Running it twice, in
 * ten places at once, or being killed in the middle changes nothing.
 *
 * @param rowId of our row (`pstx_…`), not the service's
 * @throws PaymentServiceError when the service cannot be read
 */
export async function settleTransaction(
  container: MedusaContainer,
  rowId: string,
  { provenSince, leaveProven = false }: SettleOptions = {}
): Promise<Settled> {
  const module = paymentServiceModule(container)
  // The lease is released before Medusa is touched, whose workflows lock the cart.
  const { before, row } = await module.leases.hold(`read:${rowId}`, READ_LEASE, async () => {
    const before = await module.transactions.get(rowId)
    return provenSince && isProvenSince(before, provenSince)
      ? { before, row: before }
      : { before, row: (await readTransaction(module, before)).row }
  })
  const wasProven = row === before
  if (wasProven && leaveProven) {
    return outcomeOf(row)
  }
  const settled = await applyDecision(container, row)
  await reportSettlement(container, before, settled)
  return outcomeOf(settled)
}

function outcomeOf({ state, exception, order_id }: TransactionRow): Settled {
  return { state, exception, order_id }
}
