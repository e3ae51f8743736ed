import { bookWaiting } from "../payments/book-refund"
import type { SettlePorts } from "../payments/core"
import { reportBalances } from "../payments/follow-order"
import { endOfWait, settleTransaction } from "../payments/queue"
import { isOfOrdersMoney } from "./money-back"
import { doAction, type OpenProblem, requireTransaction } from "./open-problem"

/** An unknown status may concern many transactions, and the admin waits only for these. */
const MOST_AT_ONCE = 20

/**
 * Settles the transactions of a problem again, or looks again at the sum its order is owed. The problem closes automatically if
 * all is in order then; a problem that reconciliation found closes with the next comparison.
 */
export async function retryProblem(
  ports: SettlePorts,
  { problem_id, retried_by: by = null }: { problem_id: string; retried_by?: string | null }
) {
  const giveUpAt = endOfWait()
  const action = { problem_id, action: "retry", by } as const
  const find = async ({ problem, row }: OpenProblem) => {
    const { kind, cause, order_id: orderId } = problem
    if (kind === "unknown_status") {
      return await ports.module.dueTransactions.makeStatusDue(cause, MOST_AT_ONCE)
    }
    if (orderId && isOfOrdersMoney(problem)) {
      if (row) await bookWaiting(ports, row)
      await reportBalances(ports, [orderId])
    }
    return { count: 1, oldest: [requireTransaction(row).id] }
  }
  const { count, oldest } = await doAction(ports, action, find, giveUpAt)
  await Promise.all(oldest.map((rowId) => settleTransaction(ports, rowId, giveUpAt)))
  return {
    /** Ids of the rows that were settled. */
    settled: oldest,
    /** The number of further rows, which are due now, so that the watcher settles them next. */
    left: count - oldest.length,
  }
}
