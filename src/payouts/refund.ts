import { MedusaError } from "@medusajs/framework/utils"

import type { Accounts, PayoutRow, ProblemRow, TransactionRow } from "../modules/payment-service"
import { reportSettlement } from "../payments/apply-decision"
import { requireLock, type SettlePorts } from "../payments/core"
import { LOOK_MS, type Ports, readTransaction } from "../payments/read-transaction"
import { paidSum } from "../payments/rules/transaction"
import { findMoneyBack, isOfOrdersMoney, isPayable, paymentIdsOf } from "../problems/money-back"
import { actOnProblem, requireTransaction } from "../problems/open-problem"
import { causeOfTransaction } from "../problems/rules/problems"
import { reasonOf } from "../refusals/refused"
import { PaymentServiceError } from "../service/errors"
import type { RowPlace } from "../settings/accounts"
import { addAmounts, compareSums, smaller, subtractAmounts } from "../values/amount"
import { type Acting, ONLY_ACCOUNT, PayoutRefused } from "./may-pay-out"
import { PAYOUT_CURRENCY, wholeRubles } from "./rules/payout"
import type { LockedPayout } from "./statements/payouts"

/** An open problem that asks for money back, and its transaction. */
interface Refund {
  problem: ProblemRow
  row: TransactionRow
}

/** The same with its target locked. */
export interface LockedRefund extends Refund {
  /** Whether Medusa holds the money. */
  isHeld: boolean
  /** The most that payouts may pay back of it, with those that were created already; decimal text. */
  most: string
  /** The payments whose unknown payouts may have paid back the same money: of an order's money, all of the order. */
  payments: string[]
}

/** Finds the problem that a payout pays back, which is its order's only one unless it is named; null for one that names neither. */
export async function findRefund(
  ports: Ports,
  { problem_id, order_id }: Pick<PayoutRow, "problem_id" | "order_id">
): Promise<Refund | null> {
  const { module } = ports
  if (problem_id !== null) {
    const [named] = await module.listProblems({ id: problem_id }, { take: 1 })
    if (!named) throw new PayoutRefused("problem_unknown")
    return await refundOf(ports, named)
  }
  if (order_id === null) return null
  const open = await module.listProblems({ order_id, closed_at: null }, { take: null })
  const [problem, ...others] = open.filter(isPayable)
  if (!problem) throw new PayoutRefused("no_refund_due")
  if (others.length) throw new PayoutRefused("several_problems")
  return await refundOf(ports, problem)
}

export const namesOf = ({ problem, row }: Refund) => ({
  problem_id: problem.id,
  transaction_row_id: row.id,
})

/** The account that took a payment, if it can pay out. It is preferred for paying that payment back. */
export function accountThatTook(accounts: Accounts, row: RowPlace): string | null {
  const options = accounts.findForRow(row)
  const named = accounts.named().find((one) => one.options === options)
  return named?.options.signingSecret === undefined ? null : (named.id ?? ONLY_ACCOUNT)
}

/** Requires that the service confirms, right before the sending, what the admin saw: it may have taken the money back itself. */
export async function requireStillPaid(acting: Acting, row: TransactionRow): Promise<void> {
  const { module, accounts } = acting
  if (!accounts.findForRow(row)) throw new PayoutRefused("payment_account_gone")
  const reading = readTransaction(module, accounts, row, { timeoutMs: LOOK_MS })
  const { row: now, decision } = await reading.catch((error: unknown) => {
    if (!(error instanceof PaymentServiceError) && !MedusaError.isMedusaError(error)) throw error
    module.logger.warn(
      `Payment Service: a payout is not sent, because ${row.id} could not be read: ${reasonOf(error)}`
    )
    throw new PayoutRefused("not_confirmed")
  })
  await reportSettlement(acting, row, now)
  if (!decision.isMoney) {
    throw new PayoutRefused(now.exception === "reversed" ? "taken_back" : "not_confirmed")
  }
  const isSameSum = compareSums(paidSum(now).amount, paidSum(row).amount) === 0
  if (now.exception !== row.exception || !isSameSum) {
    // The payment may be in order now, and then only the watcher would settle it.
    await module.dueTransactions.hint(row.id)
    throw new PayoutRefused("payment_changed")
  }
}

/** Runs `work` while nobody else acts on the money that a payout pays back, and only if that is still to be paid back. */
export async function whilePayingBack<T>(
  ports: SettlePorts,
  refund: Refund,
  work: (refund: LockedRefund) => Promise<T>
): Promise<T> {
  const asked = { problem_id: refund.problem.id, action: "pay_out" } as const
  return await actOnProblem(ports, asked, async (open) => {
    const { problem } = open
    const row = requireTransaction(open.row)
    // Another payment may have become due meanwhile, and that one was not read.
    if (problem.transaction_row_id !== refund.row.id) throw new PayoutRefused("payment_changed")
    if (row.exception === "reversed") throw new PayoutRefused("taken_back")
    // A settle closes the problem only after it has let the money go: until then, an order may have it already.
    const isInOrder = row.settled_at !== null && row.exception === null
    const isOver = isInOrder && problem.cause === causeOfTransaction(row.id)
    if (isOver) throw new PayoutRefused("problem_closed")
    const { isHeld, isTaken, left, paidBack } = await findMoneyBack(ports, problem, row)
    if (!isHeld && isTaken) throw new PayoutRefused("payment_taken")
    // The service may say less of the payment by now than what was asked for.
    const most = smaller(addAmounts(left, paidBack.paidOut), paidSum(row).amount)
    const payments = isOfOrdersMoney(problem) ? await paymentIdsOf(ports, row) : [row.id]
    return await work({ problem, row, isHeld, most, payments })
  })
}

/** Requires that other payouts leave enough of the money. Claims run one after the other on all instances, so no two use the same rest. */
export async function requireLeft(payout: LockedPayout, refund: LockedRefund): Promise<void> {
  requireLock()
  const { most, payments, row } = refund
  const { paidOut, underWay } = await payout.paidBackAmong(payments, row.id)
  const left = subtractAmounts(most, paidOut + underWay)
  const isEnough = compareSums(payout.row.amount, left) <= 0
  if (!isEnough) throw new PayoutRefused({ code: "above_refund", left: wholeRubles(left) })
}

async function refundOf({ module }: Ports, problem: ProblemRow): Promise<Refund> {
  if (problem.closed_at) throw new PayoutRefused("problem_closed")
  if (problem.kind === "reversed") throw new PayoutRefused("taken_back")
  if (!isPayable(problem)) throw new PayoutRefused("not_to_pay_back")
  if (problem.currency?.toUpperCase() !== PAYOUT_CURRENCY) throw new PayoutRefused("not_rubles")
  return { problem, row: await module.transactions.get(problem.transaction_row_id ?? "") }
}
