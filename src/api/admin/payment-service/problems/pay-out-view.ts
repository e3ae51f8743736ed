import type { Accounts, ProblemRow, TransactionRow } from "../../../../modules/payment-service"
import type { PaidBack } from "../../../../modules/payment-service/refund-payouts"
import { compareAmounts, subtractAmounts, toWireAmount } from "../../../../settlement/amount"
import { refundParts } from "../../../../settlement/payouts/refund-parts"
import type { ProblemAction } from "../../../../settlement/problems/entry"
import { accountThatTook } from "../../../../workflows/payouts/pay-back"
import { goesBackInRubles } from "../../../../workflows/problems/money-back"

type PayOutView = NonNullable<ReturnType<typeof payOutView>>

/**
 * The sums of a problem's money that were paid out, and those that can be, as decimal text in rubles; null for a problem without
 * money to pay back, or not in rubles.
 *
 * @param outside refunded outside and written down, but not recorded yet: the recording was broken off
 */
export function payOutView(
  problem: ProblemRow,
  {
    row,
    paidBack,
    outside,
    accounts,
  }: { row: TransactionRow; paidBack: PaidBack; outside: string; accounts: Accounts }
) {
  const { amount } = problem
  if (amount === null || !goesBackInRubles(problem)) return null
  const { underWay, drafts } = paidBack
  const left = atLeastNothing(subtractAmounts(amount, outside))
  const free = atLeastNothing(subtractAmounts(left, underWay + drafts))
  const { parts, rest } = refundParts(free, accounts.store.payouts.perPayout)
  return {
    /** The sum to pay back beyond `outside`; it includes `under_way` and `drafts`. */
    left: toWireAmount(left),
    outside: toWireAmount(outside),
    /** Being sent, or with unknown outcome. */
    under_way: toWireAmount(underWay),
    /** Written down but not sent. */
    drafts: toWireAmount(drafts),
    /** The sum beyond all of these, which can be paid out now. */
    free: toWireAmount(free),
    /** The payouts for `free`, each in whole rubles and within the limit. */
    parts,
    /** The rest, for which no payout can be made. */
    rest: toWireAmount(rest),
    /** The account that took the payment, when it can pay out. */
    account: accountThatTook(accounts, row),
  }
}

/**
 * The actions of an open problem that can do something now.
 *
 * @param order whether its order is linked to its cart, and whether it is to be paid in another way
 */
export function possibleActions(
  actions: readonly ProblemAction[],
  view: PayOutView | null,
  { isLinked, isPromised }: { isLinked: unknown; isPromised: boolean },
  accounts: Accounts
): ProblemAction[] {
  const isLeft = isLinked === false
  const possible: Partial<Record<ProblemAction, boolean>> = {
    take_instead: isPromised,
    link_order: isLeft,
    replace_order: isLeft,
    handle: !isLeft,
    pay_out: view !== null && view.parts.length > 0 && accounts.canPayOut(),
  }
  return actions.filter((action) => possible[action] ?? true)
}

const atLeastNothing = (amount: string) => (compareAmounts(amount, 0) > 0 ? amount : "0")
