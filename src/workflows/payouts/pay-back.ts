import type { Accounts, PayoutRow, ProblemRow, TransactionRow } from "../../modules/payment-service"
import type { PayoutTransaction } from "../../modules/payment-service/payouts"
import { reasonOf } from "../../modules/payment-service/reason-of"
import { addAmounts, compareAmounts, subtractAmounts } from "../../settlement/amount"
import { causeOfRefundDue } from "../../settlement/cause"
import { PAYOUT_CURRENCY } from "../../settlement/payouts/payout"
import { actionsFor } from "../../settlement/problems"
import { followRefundDue } from "../../transactions/follow-refund-due"
import { findMoneyBack, type MoneyBack } from "../problems/money-back"
import { actOnProblem, requireTransaction } from "../problems/open-problem"
import { loadMedusaState } from "../settle/load-medusa-state"
import { ONLY_ACCOUNT } from "./account-of"
import type { PayoutPorts } from "./ports"
import { PayoutRefused } from "./refused"

/** The open problem for which a payout is made, and how much money is to go back for it. */
export interface PaidBackProblem extends Pick<MoneyBack, "isHeld" | "due"> {
  problem: ProblemRow
  row: TransactionRow
}

/**
 * Runs `work` while no settle, and no other admin on any instance, does anything with the money of a payout's problem.
 *
 * @param problemId null for a payout that pays nothing back
 * @throws PayoutRefused when the problem is closed, or no payout can be made for it
 */
export async function whilePayingBack<T>(
  ports: PayoutPorts,
  problemId: string | null,
  work: (paidBack: PaidBackProblem | null) => Promise<T>
): Promise<T> {
  if (problemId === null) return await work(null)
  const { id } = await findOpen(ports, problemId)
  return await actOnProblem(ports.settle, id, "pay_out", async ({ problem, row: found }) => {
    const row = requireTransaction(found)
    const money = await findMoneyBack(ports.settle, problem, row)
    const { isHeld } = money
    if (!isHeld) {
      const { payment } = await loadMedusaState(ports.settle, row)
      if (payment && !payment.canceled) throw new PayoutRefused("payment_taken")
    }
    return await work({ problem, row, isHeld, due: payable(money) })
  })
}

/** All that payouts may pay back: whatever a problem says, no more than Medusa holds of the payment. */
function payable({ due, bookable, paidOut }: MoneyBack): string {
  const most = bookable === null ? due : addAmounts(bookable, paidOut)
  return compareAmounts(due, most) < 0 ? due : most
}

/**
 * The open problem. A refund that is still due when a part of it was recorded has a problem of its own, which a draft
 * for the earlier one pays back, too.
 */
async function findOpen({ module }: PayoutPorts, id: string): Promise<ProblemRow> {
  const [named] = await module.listProblems({ id }, { take: 1 })
  if (!named) throw new PayoutRefused("problem_unknown")
  let open: ProblemRow | undefined = named
  if (named.closed_at) {
    const rowId = named.kind === "refund_due" ? named.transaction_row_id : null
    const later = { cause: rowId && causeOfRefundDue(rowId), closed_at: null }
    open = rowId ? (await module.listProblems(later, { take: 1 }))[0] : undefined
  }
  if (!open) throw new PayoutRefused("problem_closed")
  const isOfTransaction = open.transaction_row_id !== null
  if (!isOfTransaction || !actionsFor(open.kind).includes("pay_out")) {
    throw new PayoutRefused("not_to_pay_back")
  }
  if (open.currency?.toUpperCase() !== PAYOUT_CURRENCY) throw new PayoutRefused("not_rubles")
  return open
}

/**
 * Looks, in the transaction that writes the payout, whether other payouts leave enough of the money: every instance
 * writes one after the other, so two payouts are never made for the same rest.
 *
 * @throws PayoutRefused when less is left
 */
export async function requireLeftToPayBack(
  payouts: PayoutTransaction,
  paidBack: PaidBackProblem | null,
  { amount, except }: { amount: number; except: string | null }
): Promise<void> {
  if (!paidBack) return
  const held = await payouts.heldForRefund(paidBack.row.id, except)
  const left = subtractAmounts(paidBack.due, held)
  if (compareAmounts(amount, left) > 0) {
    throw new PayoutRefused({ code: "above_refund", left: Math.max(0, Math.floor(Number(left))) })
  }
}

/** The account that took a payment, if it can pay out: it is preferred to pay that back. */
export function accountThatTook(
  accounts: Accounts,
  row: Parameters<Accounts["findForRow"]>[0]
): string | null {
  const options = accounts.findForRow(row)
  const named = accounts.named().find((one) => one.options === options)
  return named?.options.signingSecret === undefined ? null : (named.id ?? ONLY_ACCOUNT)
}

/**
 * Tells the refund that is due what became of a payout for it. What fails here is made up for when somebody looks at
 * the refund again: what is left is counted from the payouts themselves.
 */
export async function tellRefundDue(
  { module, settle }: PayoutPorts,
  { id, problem_id, transaction_row_id: rowId }: PayoutRow
): Promise<void> {
  if (problem_id === null || rowId === null) return
  await followRefundDue(settle, rowId).catch((error: unknown) => {
    module.logger.warn(
      `Payment Service: the refund of payout ${id} could not be looked at: ${reasonOf(error)}`
    )
  })
}
