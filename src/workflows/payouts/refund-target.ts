import type { ProblemRow, TransactionRow } from "../../modules/payment-service"
import { NOTHING_PAID_BACK } from "../../modules/payment-service/refund-payouts"
import { compareAmounts, compareSums, subtractAmounts } from "../../settlement/amount"
import { causeOfRefundDue } from "../../settlement/cause"
import { PAYOUT_CURRENCY } from "../../settlement/payouts/payout"
import { actionsFor } from "../../settlement/problems"
import { isPaidAndKept, isPaidAndNotHandled } from "../../settlement/standing"
import { paidSum } from "../../settlement/transaction"
import { findHeldMoney, type HeldMoney, stillHeld } from "../../transactions/load-medusa-state"
import type { Ports } from "../../transactions/ports"
import { isOfOrdersMoney } from "../problems/money-back"
import { PayoutRefused } from "./refused"

/** The reason for a payout. A payout with neither a problem nor an order pays nothing back. */
export interface PayoutPurpose {
  problemId: string | null
  orderId: string | null
  /** The payment that an existing draft pays back. */
  rowId: string | null
}

/** An open problem and its transaction; or, without a problem, a payment that Medusa holds for an order. */
export interface RefundTarget {
  problem: ProblemRow | null
  row: TransactionRow
}

/**
 * Finds the problem or payment that a payout pays back. For an order, its open problem comes first, then a payment that Medusa
 * holds for it.
 *
 * @throws PayoutRefused when the problem is closed, cannot be paid out, or is not the only one
 */
export async function findRefundTarget(
  ports: Ports,
  { problemId, orderId, rowId }: PayoutPurpose
): Promise<RefundTarget | null> {
  if (problemId !== null) return await withRow(ports, await findOpen(ports, problemId))
  if (orderId === null) return null
  const payments = await paymentsOf(ports, orderId)
  const [problem, ...others] = await problemsOf(ports, orderId, payments)
  if (others.length) throw new PayoutRefused("several_problems")
  if (problem) return await withRow(ports, requirePayable(problem))
  // A draft stays with its payment in any state, because no admin has chosen another one.
  const own = rowId === null ? null : await ports.module.transactions.get(rowId)
  const row = own ?? (await findPaymentWithMostLeft(ports, payments))?.row
  if (!row) throw new PayoutRefused("order_holds_nothing")
  return { problem: null, row }
}

/**
 * The payment of an order with the largest sum left to pay back, and that sum; null when a problem covers it, or nothing is left.
 */
export async function findLeftOfOrder(ports: Ports, orderId: string) {
  const payments = await paymentsOf(ports, orderId)
  const problems = payments.length ? await problemsOf(ports, orderId, payments) : []
  return problems.length ? null : await findPaymentWithMostLeft(ports, payments)
}

/** The most that payouts may pay back of a payment that Medusa holds. */
export function leftOf(row: TransactionRow, held: HeldMoney): string {
  return isHeldInRubles(row) ? stillHeld(held) : "0"
}

/**
 * The open problem with this id. If a part of a refund was recorded and the problem closed, the rest has a new problem, which a
 * draft for the earlier one then pays back.
 */
async function findOpen({ module }: Ports, id: string): Promise<ProblemRow> {
  const [named] = await module.listProblems({ id }, { take: 1 })
  if (!named) throw new PayoutRefused("problem_unknown")
  let open: ProblemRow | undefined = named
  if (named.closed_at) {
    const later = { cause: causeOfRefundDue(named.order_id ?? ""), closed_at: null }
    open = isOfOrdersMoney(named) ? (await module.listProblems(later, { take: 1 }))[0] : undefined
  }
  if (!open) throw new PayoutRefused("problem_closed")
  return requirePayable(open)
}

function requirePayable(open: ProblemRow): ProblemRow {
  if (open.kind === "reversed") throw new PayoutRefused("taken_back")
  const isOfTransaction = open.transaction_row_id !== null
  if (!isOfTransaction || !actionsFor(open.kind).includes("pay_out")) {
    throw new PayoutRefused("not_to_pay_back")
  }
  if (open.currency?.toUpperCase() !== PAYOUT_CURRENCY) throw new PayoutRefused("not_rubles")
  return open
}

async function withRow({ module }: Ports, problem: ProblemRow): Promise<RefundTarget> {
  return { problem, row: await module.transactions.get(problem.transaction_row_id ?? "") }
}

/** The payments in rubles that the service took for an order and that nobody has taken care of, newest first. */
async function paymentsOf({ module, medusa }: Ports, orderId: string): Promise<TransactionRow[]> {
  const links = await medusa.listOrderCollections({ order_id: orderId })
  if (!links.length) return []
  const ofOrder = links.map(({ payment_collection_id }) => payment_collection_id)
  const rows = await module.listTransactions(
    { payment_collection_id: ofOrder },
    { take: null, order: { paid_at: "DESC" } }
  )
  return rows.filter(isHeldInRubles)
}

function isHeldInRubles(row: TransactionRow): boolean {
  const isRubles = paidSum(row).currency.toUpperCase() === PAYOUT_CURRENCY
  return isPaidAndKept(row) && isPaidAndNotHandled(row) && isRubles
}

/** The open problems of an order with the action `pay_out`. */
async function problemsOf({ module }: Ports, orderId: string, payments: TransactionRow[]) {
  const rowIds = payments.map(({ id }) => id)
  const ofOrder = { $or: [{ order_id: orderId }, { transaction_row_id: rowIds }] }
  const open = await module.listProblems({ ...ofOrder, closed_at: null }, { take: null })
  return open.filter(
    ({ kind, transaction_row_id }) =>
      transaction_row_id !== null && actionsFor(kind).includes("pay_out")
  )
}

/** The payment with the largest sum that Medusa holds beyond its payouts. */
async function findPaymentWithMostLeft(ports: Ports, payments: TransactionRow[]) {
  const paidBack = await ports.module.refundPayouts.of(payments.map(({ id }) => id))
  let found: { row: TransactionRow; left: string } | null = null
  for (const row of payments) {
    const { underWay, drafts } = paidBack.get(row.id) ?? NOTHING_PAID_BACK
    const held = leftOf(row, await findHeldMoney(ports, row))
    const left = subtractAmounts(held, underWay + drafts)
    if (compareSums(held, 0) <= 0 || compareSums(left, 0) < 0) continue
    if (!found || compareAmounts(left, found.left) > 0) found = { row, left }
  }
  return found
}
