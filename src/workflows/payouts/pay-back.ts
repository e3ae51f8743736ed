import type { Accounts, PayoutRow, TransactionRow } from "../../modules/payment-service"
import type { RowPlace } from "../../modules/payment-service/accounts"
import type { PayoutTransaction } from "../../modules/payment-service/payout-transaction"
import { reasonOf } from "../../modules/payment-service/reason-of"
import {
  addAmounts,
  compareAmounts,
  remainder,
  smaller,
  subtractAmounts,
} from "../../settlement/amount"
import { causeOfTransaction } from "../../settlement/cause"
import { followOrderOf } from "../../transactions/follow-order"
import { findHeldMoney } from "../../transactions/held-money"
import { loadMedusaState } from "../../transactions/load-medusa-state"
import { findMoneyBack, type MoneyBack } from "../problems/money-back"
import { actOnProblem, actOnTransaction, requireTransaction } from "../problems/open-problem"
import { ONLY_ACCOUNT } from "./account-of"
import type { PayoutPorts } from "./ports"
import { PayoutRefused } from "./refused"
import { findRefundTarget, leftOf, type PayoutPurpose, type RefundTarget } from "./refund-target"

/** The problem or payment that a payout pays back, and the sum that must go back for it. */
export interface PaidBack extends RefundTarget, Pick<MoneyBack, "isHeld" | "due"> {}

/**
 * Runs `work` while no settle, and no other admin on any instance, acts on the money that a payout pays back.
 *
 * @param purpose null for a payout that was counted already
 * @throws PayoutRefused as `findRefundTarget` does
 */
export async function whilePayingBack<T>(
  ports: PayoutPorts,
  purpose: PayoutPurpose | null,
  work: (paidBack: PaidBack | null) => Promise<T>
): Promise<T> {
  const found = purpose && (await findRefundTarget(ports, purpose))
  if (!found) return await work(null)
  if (!found.problem) {
    return await actOnTransaction(ports, found.row, async (row) => {
      requireNotTakenBack(row)
      const due = leftOf(row, await findHeldMoney(ports, row))
      return await work({ problem: null, row, isHeld: true, due })
    })
  }
  return await actOnProblem(
    ports,
    found.problem.id,
    "pay_out",
    async ({ problem, row: locked }) => {
      const row = requireTransaction(locked)
      requireNotTakenBack(row)
      // A settle closes the problem only after it has let the money go: until then, an order may have it already.
      const isOver = row.settled_at !== null && row.exception === null
      if (isOver && problem.cause === causeOfTransaction(row.id)) {
        throw new PayoutRefused("problem_closed")
      }
      const money = await findMoneyBack(ports, problem, row)
      const { isHeld } = money
      if (!isHeld) {
        const { payment, cart } = await loadMedusaState(ports, row)
        if (payment && !payment.canceled && !cart) throw new PayoutRefused("payment_taken")
      }
      return await work({ problem, row, isHeld, due: payable(money) })
    }
  )
}

/** @throws PayoutRefused when the last read says that the service took the payment back itself */
function requireNotTakenBack({ exception }: TransactionRow): void {
  if (exception === "reversed") throw new PayoutRefused("taken_back")
}

/**
 * The most that payouts may pay back: the problem's sum, but no more than Medusa holds of the payment, and without what went back
 * outside.
 */
function payable({ due, bookable, paidOut, waiting, begun }: MoneyBack): string {
  const left = remainder(due, begun)
  const most = bookable === null ? left : remainder(addAmounts(bookable, paidOut), waiting)
  return smaller(left, most)
}

/**
 * Checks, in the transaction that writes the payout, that other payouts leave enough of the money. These transactions run one
 * after the other on all instances, so no two payouts use the same rest.
 *
 * @throws PayoutRefused when less is left
 */
export async function requireLeftToPayBack(
  payouts: PayoutTransaction,
  paidBack: PaidBack | null,
  { amount, except }: { amount: number; except: string | null }
): Promise<void> {
  if (!paidBack) return
  const held = await payouts.heldForRefund(paidBack.row.id, except)
  const left = subtractAmounts(paidBack.due, held)
  if (compareAmounts(amount, left) > 0) {
    throw new PayoutRefused({ code: "above_refund", left: Math.max(0, Math.floor(Number(left))) })
  }
}

/** The account that took a payment, if it can pay out. It is preferred for paying that payment back. */
export function accountThatTook(accounts: Accounts, row: RowPlace): string | null {
  const options = accounts.findForRow(row)
  const named = accounts.named().find((one) => one.options === options)
  return named?.options.signingSecret === undefined ? null : (named.id ?? ONLY_ACCOUNT)
}

/**
 * Updates the problem *refund due* after a payout for it. A failure here is only logged: the next look at the refund counts the
 * payouts themselves.
 */
export async function reportRefundDue(
  ports: PayoutPorts,
  { id, transaction_row_id: rowId }: Pick<PayoutRow, "id" | "transaction_row_id">
): Promise<void> {
  if (rowId === null) return
  const follow = async () => followOrderOf(ports, await ports.module.transactions.get(rowId))
  await follow().catch((error: unknown) => {
    ports.module.logger.warn(
      `Payment Service: the refund of payout ${id} could not be looked at: ${reasonOf(error)}`
    )
  })
}
