import { sumOf } from "../../medusa/payments"
import type { ProblemRow, TransactionRow } from "../../modules/payment-service"
import {
  NOTHING_PAID_BACK,
  type PaidBack,
  type RecordedBack,
} from "../../modules/payment-service/refund-payouts"
import { refused } from "../../modules/payment-service/refused-deed"
import { addAmounts, compareAmounts, subtractAmounts } from "../../settlement/amount"
import { causeOfBalance } from "../../settlement/cause"
import { followRefundDue } from "../../transactions/follow-refund-due"
import type { Ports } from "../../transactions/ports"
import { loadMedusaState } from "../settle/load-medusa-state"
import { followOrderBalances } from "../settle/order-balance"
import type { SettlePorts } from "../settle/ports"

/** The money that a problem is about and that is to go back. Sums are decimal text. */
export interface MoneyBack {
  /** Medusa holds the payment, so it books what goes back. */
  isHeld: boolean
  /** All that is to go back, with what was paid out and is not recorded yet. */
  due: string
  /** The sum that is to go back besides that. */
  left: string
  /** No more than this can be booked besides the payouts; null when Medusa books nothing. */
  bookable: string | null
  paidBack: PaidBack
  /** Ids of the payouts' proofs that nobody has recorded. */
  proofs: string[]
  /** The sum of these proofs. */
  paidOut: string
}

/**
 * Finds out how much money is to go back, as it is now. The caller must hold the target, as `actOnProblem` does.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order was not paid too much any more
 */
export async function findMoneyBack(
  ports: SettlePorts,
  problem: ProblemRow,
  row: TransactionRow
): Promise<MoneyBack> {
  const { module } = ports
  const { payment } = await loadMedusaState(ports, row)
  const isHeld = row.settled_at !== null || payment?.captured === true
  const { due: dueByMedusa, held } = await followRefundDue(ports, row.id)
  const paidBack = (await module.refundPayouts.of([row.id])).get(row.id) ?? NOTHING_PAID_BACK
  const paidOut = sumOf(held.paidOut)
  const booked = subtractAmounts(paidOut, sumOf(held.unbooked))
  const common = { isHeld, paidBack, paidOut, proofs: held.paidOut.map(({ id }) => id) }
  if (isHeld && problem.kind === "refund_due") {
    return { ...common, due: dueByMedusa, left: rest(dueByMedusa, paidOut), bookable: held.amount }
  }
  const shown = shownAmount(await followExcess(ports, problem), row)
  if (!isHeld) {
    const due = notRecorded(shown, problem, await module.refundPayouts.recordedOf([row.id]))
    return { ...common, due, left: rest(due, paidOut), bookable: null }
  }
  // The order was paid too much by what Medusa has not booked yet.
  const isExcess = problem.order_id !== null && problem.cause === causeOfBalance(problem.order_id)
  const due = isExcess ? addAmounts(shown, booked) : shown
  const bookable = rest(held.amount, sumOf(held.unbooked))
  return { ...common, due, left: rest(due, paidOut), bookable }
}

/**
 * How much of a sum that no order took is still to go back: what is recorded in its currency has gone, also for an earlier
 * problem of the same money. What Medusa holds is counted from its refunds instead.
 */
export function notRecorded(
  sum: string,
  { transaction_row_id, currency }: Pick<ProblemRow, "transaction_row_id" | "currency">,
  recorded: RecordedBack[]
): string {
  const back = recorded.find(
    (one) => one.rowId === transaction_row_id && one.currency === currency?.toUpperCase()
  )
  return back ? rest(sum, back.amount) : sum
}

/** The sum that a problem is about. */
function shownAmount({ amount }: Pick<ProblemRow, "amount">, row: TransactionRow): string {
  return amount ?? row.read_amount ?? row.amount
}

function rest(sum: string, taken: string): string {
  const left = subtractAmounts(sum, taken)
  return compareAmounts(left, 0) > 0 ? left : "0"
}

/**
 * The problem as it is now. What an order was paid too much may have gone back as a refund that was asked for.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order was not paid too much any more
 */
async function followExcess(ports: Ports, problem: ProblemRow): Promise<ProblemRow> {
  const { order_id: orderId } = problem
  if (!orderId || problem.cause !== causeOfBalance(orderId)) {
    return problem
  }
  await followOrderBalances(ports, [orderId])
  const now = await ports.module.retrieveProblem(problem.id)
  if (now.closed_at) {
    throw refused("no_excess")
  }
  return now
}
