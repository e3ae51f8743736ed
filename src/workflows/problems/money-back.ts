import { sumOf } from "../../medusa/payments"
import type { ProblemRow, TransactionRow } from "../../modules/payment-service"
import {
  NOTHING_PAID_BACK,
  type PaidBack,
  type RecordedBack,
} from "../../modules/payment-service/refund-payouts"
import { refused } from "../../modules/payment-service/refused-deed"
import { addAmounts, remainder, subtractAmounts, toWireAmount } from "../../settlement/amount"
import { causeOfBalance, causeOfTransaction } from "../../settlement/cause"
import { inRubles, PAYOUT_CURRENCY } from "../../settlement/payouts/payout"
import { actionsFor } from "../../settlement/problems"
import { paidSum } from "../../settlement/transaction"
import { followRefundDue } from "../../transactions/follow-refund-due"
import type { OurModule, Ports } from "../../transactions/ports"
import { loadMedusaState } from "../../transactions/load-medusa-state"
import { followOrderBalances } from "../orders/order-balance"
import type { SettlePorts } from "../ports"
import type { OpenProblem } from "./open-problem"

/** The money of a problem that must go back. Sums are decimal text. */
export interface MoneyBack {
  /** Whether an order, or a collection without a cart, took the payment. */
  isHeld: boolean
  /** Whether Medusa captured the payment, perhaps for a cart whose order it could not finish. */
  isCaptured: boolean
  /** The whole sum that must go back, including unrecorded payouts. */
  due: string
  /** The part of it that payouts do not cover. */
  left: string
  /** The most that can be booked besides the payouts; null when Medusa books nothing. */
  bookable: string | null
  paidBack: PaidBack
  /** The proofs of payouts that nobody has recorded, by id. */
  proofs: string[]
  /** The sum of these proofs. */
  paidOut: string
  /** The sum that went back outside, while Medusa has no refund for it yet. */
  unbookedOutside: string
}

/**
 * Finds the sum that must go back now. The caller must hold the target, as `actOnProblem` does.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order is not overpaid any more
 */
export async function findMoneyBack(
  ports: SettlePorts,
  problem: ProblemRow,
  row: TransactionRow
): Promise<MoneyBack> {
  const { module } = ports
  const { payment, cart } = await loadMedusaState(ports, row)
  const isCaptured = payment?.captured === true
  const isHeld = row.settled_at !== null || (isCaptured && !cart)
  const { due: dueByMedusa, held } = await followRefundDue(ports, row.id)
  const paidBack = (await module.refundPayouts.of([row.id])).get(row.id) ?? NOTHING_PAID_BACK
  const paidOut = sumOf(held.paidOut)
  const booked = subtractAmounts(paidOut, sumOf(held.unbooked))
  const { unbookedOutside } = held
  const proofs = held.paidOut.map(({ id }) => id)
  const common = { isHeld, isCaptured, paidBack, paidOut, proofs, unbookedOutside }
  if (isHeld && problem.kind === "refund_due") {
    return {
      ...common,
      due: dueByMedusa,
      left: remainder(dueByMedusa, paidOut),
      bookable: held.amount,
    }
  }
  const shown = shownAmount(await followExcess(ports, problem), row)
  if (!isHeld) {
    const due = notRecorded(shown, problem, await module.refundPayouts.recordedOf([row.id]))
    return { ...common, due, left: remainder(due, paidOut), bookable: null }
  }
  // The excess is already reduced by payouts that Medusa has booked.
  const isExcess = problem.order_id !== null && problem.cause === causeOfBalance(problem.order_id)
  const due = isExcess ? addAmounts(shown, booked) : shown
  const bookable = remainder(held.amount, sumOf(held.unbooked))
  return { ...common, due, left: remainder(due, paidOut), bookable }
}

/** @throws MedusaError `NOT_ALLOWED` while payouts of the money are being sent, or nobody knows whether they went through */
export function requireNoneUnderWay({ underWay } = NOTHING_PAID_BACK): void {
  if (underWay > 0) {
    throw refused("payouts_under_way", { underWay: inRubles(String(underWay)) })
  }
}

/**
 * The part of a problem's sum, without an order, that has not gone back yet: the sum minus everything recorded in its currency,
 * also for an earlier problem of the same money. Money that Medusa holds is counted from its refunds instead.
 */
function notRecorded(
  sum: string,
  { transaction_row_id, currency }: Pick<ProblemRow, "transaction_row_id" | "currency">,
  recorded: RecordedBack[]
): string {
  const back = recorded.find(
    (one) => one.rowId === transaction_row_id && one.currency === currency?.toUpperCase()
  )
  return back ? remainder(sum, back.amount) : sum
}

/**
 * The sum of a problem without what was recorded as gone back, if its money is not taken yet.
 *
 * @param row the problem's transaction, if it has one
 */
export function amountNotRecorded(
  problem: ProblemRow,
  row: Pick<TransactionRow, "settled_at"> | null,
  recorded: RecordedBack[]
): string | null {
  const { amount, cause, transaction_row_id: rowId } = problem
  const isUntaken = !problem.closed_at && row?.settled_at === null
  return isUntaken && amount !== null && rowId !== null && cause === causeOfTransaction(rowId)
    ? notRecorded(amount, problem, recorded)
    : amount
}

/** The sum that admins see with a problem: of money that must go back, the part that payouts do not cover. */
export function amountAtStake(
  problem: ProblemRow,
  row: Pick<TransactionRow, "settled_at"> | null,
  { recorded, paidOut }: { recorded: RecordedBack[]; paidOut: number }
): string | null {
  const amount = amountNotRecorded(problem, row, recorded)
  const isReduced = row !== null && amount !== null && paidOut > 0 && goesBackInRubles(problem)
  return isReduced ? toWireAmount(remainder(amount, paidOut)) : amount
}

/** Whether the problem is open, and its money is to go back in the currency of payouts. */
export function goesBackInRubles({ kind, closed_at, currency }: ProblemRow): boolean {
  return (
    !closed_at &&
    actionsFor(kind).includes("pay_out") &&
    currency?.toUpperCase() === PAYOUT_CURRENCY
  )
}

/**
 * Requires that the admin has seen the problem's present sum, if the request has one.
 *
 * @throws MedusaError `NOT_ALLOWED` when it differs, to the kopeck
 */
export async function requireSeenAtStake(
  module: OurModule,
  { problem, row }: Pick<OpenProblem, "problem" | "row">,
  seen: string | null
): Promise<void> {
  if (seen === null) return
  const rowIds = row ? [row.id] : []
  const [recorded, paidBack] = [
    await module.refundPayouts.recordedOf(rowIds),
    await module.refundPayouts.of(rowIds),
  ]
  const { paidOut } = paidBack.get(row?.id ?? "") ?? NOTHING_PAID_BACK
  const now = amountAtStake(problem, row, { recorded, paidOut })
  if (now !== null && toWireAmount(now) !== toWireAmount(seen)) {
    const currency = problem.currency ?? PAYOUT_CURRENCY
    throw refused("other_sum", {
      now: { amount: toWireAmount(now), currency },
      said: { amount: seen, currency },
    })
  }
}

/** The sum of a problem. */
function shownAmount({ amount }: Pick<ProblemRow, "amount">, row: TransactionRow): string {
  return amount ?? paidSum(row).amount
}

/**
 * The problem as it is now, because a requested refund may have paid the excess back.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order is not overpaid any more, or its excess goes back of another payment by now
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
  if (now.transaction_row_id !== problem.transaction_row_id) {
    throw refused("other_payment")
  }
  return now
}
