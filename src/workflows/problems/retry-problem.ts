import { causeOfBalance } from "../../settlement/cause"
import { followOrderBalances } from "../orders/order-balance"
import type { SettlePorts } from "../ports"
import { settleTransaction } from "../settle/settle-transaction"
import { doDeed, requireTransaction } from "./open-problem"

/** An unknown status may concern many transactions; the watcher settles the rest. */
const MOST_AT_ONCE = 20

export interface RetryProblemInput {
  problem_id: string
  retried_by?: string | null
}

/**
 * Settles the transactions of a problem again, or looks again at the sum its order is owed. The problem closes automatically if
 * all is in order then; a problem that reconciliation found closes with the next comparison.
 *
 * @returns ids of the rows that were settled
 */
export async function retryProblem(
  ports: SettlePorts,
  { problem_id, retried_by = null }: RetryProblemInput
): Promise<string[]> {
  const rowIds = await doDeed(
    ports,
    { problem_id, action: "retry", by: retried_by },
    async ({ module, problem, row }) => {
      const { kind, cause, order_id: orderId } = problem
      if (kind === "unknown_status") {
        return await module.problems.transactionsOfStatus(cause, MOST_AT_ONCE)
      }
      if (orderId && cause === causeOfBalance(orderId)) {
        await followOrderBalances(ports, [orderId])
      }
      return [requireTransaction(row).id]
    }
  )
  for (const rowId of rowIds) await settleTransaction(ports, rowId)
  return rowIds
}
