import type { TransactionRow } from "../../modules/payment-service"
import { refused } from "../../modules/payment-service/refused-deed"
import { compareAmounts, toDecimalText, toWireAmount } from "../../settlement/amount"
import { causeOfBalance } from "../../settlement/cause"
import { followRefundDue } from "../../transactions/follow-refund-due"
import type { Ports } from "../../transactions/ports"
import { proveAndBookRefund } from "../refunds/book-refund"
import { loadMedusaState } from "../settle/load-medusa-state"
import { followOrderBalances } from "../settle/order-balance"
import type { SettlePorts } from "../settle/ports"
import { closeHandledPayment } from "./close-handled-payment"
import { actOnProblem, type OpenProblem, requireTransaction } from "./open-problem"

export interface RefundOutsideInput {
  problem_id: string
  /** How much went back, as decimal text, if it was sent. It may be a part of the refund that is due. */
  amount: string | null
  /** How the money went back; kept with the proof and the refund. */
  note: string
  given_by: string | null
}

/**
 * Records that the money went back by another way than the service. If Medusa holds the payment, this is the
 * refund proof against which it books the refund: one only, even if this runs twice or is killed in between.
 */
export async function recordRefundOutside(
  ports: SettlePorts,
  { problem_id, amount, note, given_by }: RefundOutsideInput
): Promise<{ problem_id: string }> {
  await actOnProblem(ports, problem_id, "refunded_outside", async (open) => {
    const { module } = open
    const row = requireTransaction(open.row)
    const closed = { resolution: "refunded_outside", by: given_by, note } as const
    const { payment } = await loadMedusaState(ports, row)
    if (row.settled_at || payment?.captured) {
      const booked = await amountToBook(ports, open, row, amount)
      if (compareAmounts(booked, 0) > 0) {
        const proof = { kind: "outside", amount: booked, note, given_by } as const
        await proveAndBookRefund(ports, { row, problemId: problem_id, proof })
      }
      await module.problems.closeByPerson(problem_id, { ...closed, booked })
      // If more is still due, that is a problem of its own; if nothing is, an open one is closed.
      await followRefundDue(ports, row.id)
      if (row.order_id) await followOrderBalances(ports, [row.order_id])
    } else {
      const back = {
        amount: requireSame(amount, shownAmount(open, row), row.currency),
        currency: row.read_currency ?? row.currency,
      }
      await closeHandledPayment(ports, row, () =>
        module.problems.closeByPerson(problem_id, closed, { of: row.id, back })
      )
    }
  })
  return { problem_id }
}

/**
 * How much Medusa is to book, with all its decimals: for a refund due, that sum or a part of it; else the
 * problem's sum, but no more than Medusa still holds. If a proof was recorded before, its sum.
 *
 * @throws MedusaError `NOT_ALLOWED` when the sum that went back is none of these, to the kopeck
 */
async function amountToBook(
  ports: Ports,
  open: OpenProblem,
  row: TransactionRow,
  said: string | null
): Promise<string> {
  const { module, problem } = open
  const [begun] = await module.listRefundProofs({ problem_id: problem.id }, { take: 1 })
  if (begun) {
    return requireSame(said, begun.amount, row.currency)
  }
  const { due, held } = await followRefundDue(ports, row.id)
  if (problem.kind !== "refund_due") {
    const current = await followExcess(ports, problem)
    const shown = requireSame(said, shownAmount({ problem: current }, row), row.currency)
    return isSameSum(shown, held.amount) || compareAmounts(shown, held.amount) > 0
      ? held.amount
      : shown
  }
  if (due === "0") {
    throw refused(row.exception === "reversed" ? "reversed_meanwhile" : "nothing_due")
  }
  const isPart =
    said !== null &&
    compareAmounts(said, 0) > 0 &&
    compareAmounts(said, due) < 0 &&
    !isSameSum(said, due)
  return isPart ? toDecimalText(said) : requireSame(said, due, row.currency)
}

/**
 * The problem as it is now. What an order was paid too much may have gone back as a refund that was asked for.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order was not paid too much any more
 */
async function followExcess(
  ports: Ports,
  problem: OpenProblem["problem"]
): Promise<OpenProblem["problem"]> {
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

function shownAmount({ problem }: Pick<OpenProblem, "problem">, row: TransactionRow): string {
  return problem.amount ?? row.read_amount ?? row.amount
}

/**
 * @returns `amount` with all its decimals
 * @throws MedusaError `NOT_ALLOWED` when a person said another sum, to the kopeck
 */
function requireSame(said: string | null, amount: string, currency: string): string {
  if (said !== null && !isSameSum(said, amount)) {
    throw refused("other_sum", { now: { amount: toWireAmount(amount), currency }, said })
  }
  return toDecimalText(amount)
}

/** Sums are compared to the kopeck: nobody pays or types less. */
const isSameSum = (left: string, right: string) => toWireAmount(left) === toWireAmount(right)
