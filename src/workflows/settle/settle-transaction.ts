import type { TransactionState } from "../../settlement/transaction"
import type { Ports } from "../../transactions/ports"
import { queueOf } from "./queue"

export interface Settled {
  state: TransactionState
  exception: string | null
  order_id: string | null
}

/**
 * Reads one transaction at the service now and makes Medusa follow, through the queue.
 *
 * @param rowId id of our row (`pstx_…`), not the service's id
 * @returns the outcome so far: a settle that takes longer than eight seconds goes on
 * @throws PaymentServiceError when the service cannot be read
 */
export async function settleTransaction({ module }: Ports, rowId: string): Promise<Settled> {
  const row = await module.transactions.get(rowId)
  const { state, exception, order_id } = await queueOf(module).settle(row)
  return { state, exception, order_id }
}
