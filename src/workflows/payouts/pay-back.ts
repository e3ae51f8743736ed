import type { Accounts, PayoutRow, TransactionRow } from "../../modules/payment-service"
import type { RowPlace } from "../../modules/payment-service/accounts"
import type { PayoutTransaction } from "../../modules/payment-service/payouts"
import { reasonOf } from "../../modules/payment-service/reason-of"
import {
  addAmounts,
  compareSums,
  remainder,
  smaller,
  subtractAmounts,
} from "../../settlement/amount"
import { causeOfTransaction } from "../../settlement/cause"
import { wholeRubles } from "../../settlement/payouts/refund-parts"
import { actionsFor } from "../../settlement/problems"
import { followOrderOf } from "../../transactions/follow-order"
import { findHeldMoney, loadMedusaState } from "../../transactions/load-medusa-state"
import { findMoneyBack, type MoneyBack, notGoneBack, paidBackOf } from "../problems/money-back"
import {
  actOnProblem,
  actOnTransaction,
  closeHandledPayment,
  requireTransaction,
} from "../problems/open-problem"
import { bookWaiting } from "../refunds/book-refund"
import { withTargetLock } from "../settle/target-lock"
import type { SettlePorts } from "../ports"
import { PayoutRefused } from "./refused"
import { ONLY_ACCOUNT } from "./rules"
import { findRefundTarget, leftOf, type PayoutPurpose, type RefundTarget } from "./refund-target"

/** The admin who has sent a payout waits for its booking no longer than this. */
const LOCK_WAIT_MS = 3_000

/** The problem or payment that a payout pays back, and the sum that must go back for it. */
export interface MoneyToPayBack extends RefundTarget, Pick<MoneyBack, "isHeld" | "due"> {
  /** Payouts that had been created already when `due` was found: `due` is what is left after them. Whole rubles. */
  paidOut: number
}

/**
 * Runs `work` while no settle, and no other admin on any instance, acts on the money that a payout pays back.
 *
 * @param purpose null for a payout that was counted already
 * @throws PayoutRefused as `findRefundTarget` does
 */
export async function whilePayingBack<T>(
  ports: SettlePorts,
  purpose: PayoutPurpose | null,
  work: (paidBack: MoneyToPayBack | null) => Promise<T>
): Promise<T> {
  const found = purpose && (await findRefundTarget(ports, purpose))
  if (!found) return await work(null)
  if (!found.problem) {
    return await actOnTransaction(ports, found.row, async (row) => {
      requireNotTakenBack(row)
      const { paidOut } = await paidBackOf(ports, row)
      const due = leftOf(row, await findHeldMoney(ports, row))
      return await work({ problem: null, row, isHeld: true, due, paidOut })
    })
  }
  const { id } = found.problem
  return await actOnProblem(ports, id, "pay_out", async ({ problem, row: locked }) => {
    const row = requireTransaction(locked)
    requireNotTakenBack(row)
    // A settle closes the problem only after it has let the money go: until then, an order may have it already.
    const isOver = row.settled_at !== null && row.exception === null
    if (isOver && problem.cause === causeOfTransaction(row.id)) {
      throw new PayoutRefused("problem_closed")
    }
    const money = await findMoneyBack(ports, problem, row)
    const { isHeld, paidBack } = money
    if (!isHeld) {
      const { payment, cart } = await loadMedusaState(ports, row)
      if (payment && !payment.canceled && !cart) throw new PayoutRefused("payment_taken")
    }
    return await work({ problem, row, isHeld, due: mostToPayOut(money), paidOut: paidBack.paidOut })
  })
}

/** @throws PayoutRefused when the last read says that the service took the payment back itself */
function requireNotTakenBack({ exception }: TransactionRow): void {
  if (exception === "reversed") throw new PayoutRefused("taken_back")
}

/** The most that payouts may pay back: the problem's sum without what went back outside, but no more than Medusa holds of the payment. */
function mostToPayOut({ due, payable, begun }: MoneyBack): string {
  const left = remainder(due, begun)
  return payable === null ? left : smaller(left, payable)
}

/**
 * Checks, in the transaction that writes the payout, that other payouts leave enough of the money. These transactions run one
 * after the other on all instances, so no two payouts use the same rest.
 *
 * @throws PayoutRefused when less is left
 */
export async function requireLeftToPayBack(
  payouts: PayoutTransaction,
  paidBack: MoneyToPayBack | null,
  { amount, except }: { amount: number; except: string | null }
): Promise<void> {
  if (!paidBack) return
  // A payout that was created since is not in the sum that was found to be due.
  const held = await payouts.heldForRefund(paidBack.row.id, except)
  const left = subtractAmounts(addAmounts(paidBack.due, paidBack.paidOut), held)
  if (compareSums(amount, left) > 0) {
    throw new PayoutRefused({ code: "above_refund", left: wholeRubles(left) })
  }
}

/** The account that took a payment, if it can pay out. It is preferred for paying that payment back. */
export function accountThatTook(accounts: Accounts, row: RowPlace): string | null {
  const options = accounts.findForRow(row)
  const named = accounts.named().find((one) => one.options === options)
  return named?.options.signingSecret === undefined ? null : (named.id ?? ONLY_ACCOUNT)
}

/**
 * Makes Medusa book what a payout has paid back, closes the problem of money that no order took once all of it went back, and looks
 * again at what is due. A failure here is only logged, and the watcher does it again a minute later.
 */
export async function followPayout(
  ports: SettlePorts,
  payout: Pick<PayoutRow, "id" | "transaction_row_id">
): Promise<void> {
  const { transaction_row_id: rowId } = payout
  if (rowId === null) return
  const { module } = ports
  const follow = async () => {
    const before = await module.transactions.get(rowId)
    await withTargetLock(ports, before, (row) => bookPaidOut(ports, row), LOCK_WAIT_MS)
    await followOrderOf(ports, before)
    await module.payouts.change(payout.id, (locked) => locked.update({ to_book_at: null }))
  }
  await follow().catch((error: unknown) => {
    module.logger.warn(
      `Payment Service: the refund of payout ${payout.id} is booked later: ${reasonOf(error)}`
    )
  })
}

/** The same for payouts whose process died, or could not book them. */
export async function bookPayouts(ports: SettlePorts): Promise<void> {
  for (const payout of await ports.module.payouts.findToBeBooked()) {
    // The next attempt comes later, should this one fail or its process die.
    await ports.module.payouts.change(payout.id, (locked) => locked.bookLater())
    await followPayout(ports, payout)
  }
}

/** Books what payouts have paid back, and closes the problem of money that no order took once all of it went back. */
async function bookPaidOut(ports: SettlePorts, row: TransactionRow): Promise<void> {
  await bookWaiting(ports, row)
  if (row.settled_at !== null) return
  const { module } = ports
  const cause = causeOfTransaction(row.id)
  const [problem] = await module.listProblems({ cause, closed_at: null }, { take: 1 })
  // The service may have taken the money back itself meanwhile, or more has come since: that is for a person.
  if (!problem?.amount || !actionsFor(problem.kind).includes("pay_out")) return
  const left = notGoneBack(problem.amount, problem, await module.refundPayouts.goneBackOf([row.id]))
  if (compareSums(left, 0) > 0) return
  const last = (await module.ledger.of([row.id])).findLast(({ kind }) => kind === "payout")
  const { by = null, note = null } = last ?? {}
  const closed = { resolution: "refunded_outside", by, note } as const
  await closeHandledPayment(ports, row, () =>
    module.problems.closeByPerson(problem.id, closed, { of: row.id, back: null })
  )
}
