import type { ProblemRow, TransactionRow } from "../modules/payment-service"
import { loadMedusaState, type SettlePorts } from "../payments/ports"
import { LockTimeoutError, requireLock, withTargetLock } from "../payments/target-lock"
import { reportBalances } from "../payments/follow-order"
import { reasonOf, refused } from "../refusals/refused"
import { isOwed } from "../values/amount"
import { actionsFor, type ProblemAction } from "./rules/problems"
import type { Decision } from "./statements/problems"

/** An admin waits for it, at most until the end of the whole request's wait. */
const BUSY_TARGET_WAIT_MS = 8_000

export interface OpenProblem {
  problem: ProblemRow
  row: TransactionRow | null
}

interface AskedAction {
  problem_id: string
  action: ProblemAction
  /** The end of the request's wait, in milliseconds of `Date.now()`, when it waits for a settle afterwards, too. */
  giveUpAt?: number
}

/** Acts on an open problem while no settle, and no other admin, acts on its transaction's target. */
export async function actOnProblem<T>(
  ports: SettlePorts,
  asked: AskedAction,
  work: (open: OpenProblem) => Promise<T>
): Promise<T> {
  const problem = await findOpen(ports, asked)
  if (!problem.transaction_row_id) return await work({ problem, row: null })
  const before = await ports.module.transactions.get(problem.transaction_row_id)
  const act = async (row: TransactionRow) =>
    // Another admin, or a settle, may have solved it meanwhile.
    await work({ problem: await findOpen(ports, asked), row })
  return await actOnTransaction(ports, before, act, asked.giveUpAt)
}

/** Does an admin's action under `actOnProblem`, and enters it in the transaction's journal, unless it is refused. */
export async function doAction<T>(
  ports: SettlePorts,
  asked: AskedAction & { by: string | null },
  work: (open: OpenProblem) => Promise<T>
): Promise<T> {
  return await actOnProblem(ports, asked, async (open) => {
    const result = await work(open)
    const facts = { action: asked.action, problem: open.problem.kind }
    if (open.row) await ports.module.enterAction(open.row.id, "acted", asked.by, facts)
    return result
  })
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

async function findOpen({ module }: SettlePorts, { problem_id, action }: AskedAction) {
  const problem = await module.retrieveProblem(problem_id)
  if (problem.closed_at) throw refused("problem_closed")
  const actions = actionsFor(problem.kind, problem.transaction_row_id !== null)
  if (!actions.includes(action)) throw refused("other_actions", { actions: actions.join(", ") })
  return problem
}

export function requireTransaction(row: TransactionRow | null): TransactionRow {
  if (!row) throw refused("no_single_transaction")
  return row
}

/** Closes the problem of money that no order took, and cancels its session: the cart can be paid again. The caller holds the target. */
export async function closeUntaken(
  ports: SettlePorts,
  row: TransactionRow,
  problemId: string,
  decision: Decision
) {
  const { session, order, payment, cart } = await loadMedusaState(ports, row)
  // A payment of a cart was taken for an order that core could not finish. Core would finish it without asking us again.
  if (payment && !payment.isCanceled && !cart) throw refused("taken_meanwhile")
  requireLock()
  await ports.module.problems.closeByPerson(problemId, { ...decision, isUntaken: true })
  if (!order && session) await ports.core.closeSession(session.id)
  // An order that was placed before its payment, and that nobody else has promised to pay, would wait for it untold.
  if (!order || !isOwed(order.owed)) return
  await reportBalances(ports, [order.id]).catch((error: unknown) => {
    const { logger } = ports.module
    logger.warn(`Payment Service: order ${order.id} is looked at later: ${reasonOf(error)}`)
  })
}
