import type { ProblemRow } from "../modules/payment-service"
import { reportAndOfferRest } from "../payments/apply-decision"
import { bookWaiting } from "../payments/book-refund"
import { requireLock, type SettlePorts } from "../payments/core"
import { reportBalances } from "../payments/follow-order"
import { paidSum } from "../payments/rules/transaction"
import { inRubles } from "../payouts/rules/payout"
import { reasonOf, refused } from "../refusals/refused"
import {
  compareSums,
  inKopecks,
  subtractAmounts,
  toDecimalText,
  toWireAmount,
} from "../values/amount"
import {
  findMoneyBack,
  isOfOrdersMoney,
  isPayable,
  type MoneyBack,
  requireNoneUnderWay,
  requireSame,
  requireSeen,
  requireSeenAtStake,
} from "./money-back"
import { closeUntaken, doAction, requireTransaction } from "./open-problem"
import { causeOfTransaction } from "./rules/problems"

export interface HandleProblemInput {
  problem_id: string
  /** The sum that the admin saw with the problem, as decimal text; null only where it shows none. */
  amount: string | null
  /** The admin's words on what was done; kept with a proof and its refund. */
  note: string
  handled_by: string | null
}

/** Closes a problem that a person took care of. The plugin no longer acts on its money if the payment has not settled. */
export async function handleProblem(
  ports: SettlePorts,
  { problem_id, amount, note, handled_by: by }: HandleProblemInput
): Promise<{ problem_id: string }> {
  const { problems } = ports.module
  await doAction(ports, { problem_id, action: "handle", by }, async (open) => {
    const { problem, row } = open
    await requireSeenAtStake(ports, open, amount)
    if (row && isPayable(problem)) await requireNoneUnderWay(ports, row)
    const handled = { resolution: "handled", by, note } as const
    if (row && !row.settled_at && problem.cause === causeOfTransaction(row.id)) {
      return await closeUntaken(ports, row, problem_id, handled)
    }
    const ofOrder = isOfOrdersMoney(problem) ? problem.order_id : null
    const decided = problem.kind === "order_underpaid" ? "accepted" : "waived"
    await problems.closeByPerson(problem_id, {
      ...handled,
      ...(ofOrder && { decided }),
      // The money of a creation without a reply is taken care of, too, should the service confirm it later. Its session may
      // belong to a later attempt by now.
      isUntaken: problem.facts.found === "creation_without_reply" && row?.transaction_id === null,
    })
    // A settle that judged before the closing may have opened the problem again.
    if (ofOrder) await reportBalances(ports, [ofOrder])
  })
  return { problem_id }
}

export interface RefundOutsideInput extends Omit<HandleProblemInput, "handled_by"> {
  /** The sum that went back by another way than payouts, as decimal text; null when that is all of what is due. */
  part: string | null
  given_by: string | null
}

/** Records that money went back otherwise. Its proof is written with the problem's end, and booked once, also after a kill. */
export async function recordRefundOutside(
  ports: SettlePorts,
  { problem_id, amount, part, note, given_by: by }: RefundOutsideInput
) {
  const action = "refunded_outside"
  const { problems, ledger, logger } = ports.module
  const isBooked = await doAction(ports, { problem_id, action, by }, async (open) => {
    const { problem } = open
    const row = requireTransaction(open.row)
    // The service confirms the payment again, and the problem is about to be closed.
    if (problem.kind === "reversed" && row.exception !== "reversed") throw refused("problem_closed")
    const money = await findMoneyBack(ports, problem, row)
    requireSeen(amount, money.atStake, problem.currency)
    const sum = amountOutside(problem, row.currency, part ?? money.due, money)
    const back = compareSums(sum, 0) === 0 ? null : { ...paidSum(row), amount: sum }
    const decision = { resolution: action, by, note, back } as const
    requireLock()
    await (money.isHeld
      ? problems.closeByPerson(problem_id, decision)
      : closeUntaken(ports, row, problem_id, decision))
    const booked = await bookWaiting(ports, row).catch((error: unknown) => {
      logger.warn(`Payment Service: the refund of ${row.id} is booked later: ${reasonOf(error)}`)
      return null
    })
    // A sum that is still due opens a new problem; if nothing is due, an open one is closed.
    if (money.isHeld && row.order_id) await reportAndOfferRest(ports, row.order_id)
    if (booked) await ledger.setToBook(booked, null)
    return booked !== null
  })
  // Medusa books it only later while the order is being changed, for example.
  return { problem_id, waits_for_change: !isBooked }
}

/** The sum that went back: of an order's money, what is due or a part; else the problem's rest, at most what Medusa still holds. */
function amountOutside(problem: ProblemRow, currency: string, said: string, money: MoneyBack) {
  const { due, bookable, isHeld } = money
  const all = { amount: due, currency }
  if (!isHeld) {
    requireKnown(money, due)
    return inKopecks({ amount: requireSame(said, all) }).amount
  }
  if (isOfOrdersMoney(problem)) {
    const part = toWireAmount(said)
    const isPart = compareSums(part, "0.01") >= 0 && compareSums(part, due) < 0
    return requireKnown(money, isPart ? toDecimalText(part) : requireSame(said, all))
  }
  const back = requireSame(said, all)
  return requireKnown(money, compareSums(back, bookable) < 0 ? back : bookable)
}

/** Requires that unknown payouts cannot have paid the same money back. */
function requireKnown({ due, paidBack: { underWay } }: MoneyBack, outside: string): string {
  if (underWay > 0 && compareSums(outside, subtractAmounts(due, underWay)) > 0) {
    throw refused("payouts_under_way", { underWay: inRubles(String(underWay)) })
  }
  return outside
}
