import type { ProblemRow, TransactionRow } from "../modules/payment-service"
import {
  loadMedusaState,
  LockTimeoutError,
  requireLock,
  type SettlePorts,
  withTargetLock,
} from "../payments/core"
import { refused } from "../refusals/refused"
import { actionsFor, type ProblemAction } from "./rules/problems"

/** An admin waits for it, at most until the end of the whole request's wait. */
const BUSY_TARGET_WAIT_MS = 8_000

export interface OpenProblem {
  problem: ProblemRow
  row: TransactionRow | null
}

/**
 * Acts on an open problem while no settle, and no other admin, acts on its transaction's target.
 *
 * @param giveUpAt the end of the request's wait, in milliseconds of `Date.now()`, when it waits for a settle afterwards, too
 */
export async function actOnProblem<T>(
  ports: SettlePorts,
  problemId: string,
  action: ProblemAction,
  work: (open: OpenProblem) => Promise<T>,
  giveUpAt?: number
): Promise<T> {
  const problem = await findOpen(ports, problemId, action)
  if (!problem.transaction_row_id) return await work({ problem, row: null })
  const before = await ports.module.transactions.get(problem.transaction_row_id)
  const act = async (row: TransactionRow) =>
    // Another admin, or a settle, may have solved it meanwhile.
    await work({ problem: await findOpen(ports, problemId, action), row })
  return await actOnTransaction(ports, before, act, giveUpAt)
}

/** Does an admin's action under `actOnProblem`, and enters it in the transaction's journal, unless it is refused. */
export async function doAction<T>(
  ports: SettlePorts,
  asked: { problem_id: string; action: ProblemAction; by: string | null; giveUpAt?: number },
  work: (open: OpenProblem) => Promise<T>
): Promise<T> {
  const { problem_id, action, by, giveUpAt } = asked
  const act = async (open: OpenProblem) => {
    const result = await work(open)
    const facts = { action, problem: open.problem.kind }
    if (open.row) await ports.module.enterAction(open.row.id, "acted", by, facts)
    return result
  }
  return await actOnProblem(ports, problem_id, action, act, giveUpAt)
}

export async function actOnTransaction<T>(
  ports: SettlePorts,
  row: TransactionRow,
  work: (row: TransactionRow) => Promise<T>,
  giveUpAt = Infinity
): Promise<T> {
  const waitMs = Math.min(BUSY_TARGET_WAIT_MS, giveUpAt - Date.now())
  return await withTargetLock(ports, row, work, waitMs).catch((error: unknown) => {
    throw error instanceof LockTimeoutError ? refused("being_settled") : error
  })
}

async function findOpen({ module }: SettlePorts, problemId: string, action: ProblemAction) {
  const problem = await module.retrieveProblem(problemId)
  if (problem.closed_at) throw refused("problem_closed")
  const actions = actionsFor(problem.kind, problem.transaction_row_id !== null)
  if (!actions.includes(action)) throw refused("other_actions", { actions: actions.join(", ") })
  return problem
}

export function requireTransaction(row: TransactionRow | null): TransactionRow {
  if (!row) throw refused("no_single_transaction")
  return row
}

/**
 * Takes an unused payment out of automatic handling: `close` records on the row that a person took care of the money, and the
 * session is canceled while there is no order, so that the cart can be paid again. The caller must hold the target, as
 * `actOnProblem` does: a completion that has just seen the money would still place the order.
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
  if (session && !order) await ports.core.closeSession(session.id)
}
