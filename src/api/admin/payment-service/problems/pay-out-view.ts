import {
  type Accounts,
  type ProblemRow,
  type TransactionRow,
} from "../../../../modules/payment-service"
import type { RowPlace } from "../../../../modules/payment-service/accounts"
import type { PaidBack } from "../../../../modules/payment-service/refund-payouts"
import { compareAmounts, subtractAmounts, toWireAmount } from "../../../../settlement/amount"
import { refundParts } from "../../../../settlement/payouts/refund-parts"
import type { ProblemAction } from "../../../../settlement/problems/entry"
import { accountThatTook } from "../../../../workflows/payouts/pay-back"
import { goesBackInRubles } from "../../../../workflows/problems/money-back"

/** The sums of a problem's money that were paid out, and those that can be. Decimal text, in rubles. */
export interface PayOutView {
  /** The sum to pay back beyond `outside`; it includes `under_way` and `drafts`. */
  left: string
  /** Refunded outside and written down, but not recorded yet: the recording was broken off. */
  outside: string
  /** Being sent, or with unknown outcome. */
  under_way: string
  /** Written down but not sent. */
  drafts: string
  /** The sum beyond all of these, which can be paid out now. */
  free: string
  /** The payouts for `free`, each in whole rubles and within the limit. */
  parts: number[]
  /** The rest, for which no payout can be made. */
  rest: string
  /** The account that took the payment, when it can pay out. */
  account: string | null
}

/** The columns of a problem's transaction that a `PayOutView` needs. */
export type PaidRow = RowPlace & Pick<TransactionRow, "settled_at">

/** Null for a problem without money to pay back, or not in rubles. */
export function payOutView(
  problem: ProblemRow,
  {
    row,
    paidBack,
    outside,
    accounts,
  }: { row: PaidRow; paidBack: PaidBack; outside: string; accounts: Accounts }
): PayOutView | null {
  const { amount } = problem
  if (amount === null || !goesBackInRubles(problem)) return null
  const { underWay, drafts } = paidBack
  const left = atLeastNothing(subtractAmounts(amount, outside))
  const free = atLeastNothing(subtractAmounts(left, underWay + drafts))
  const { parts, rest } = refundParts(free, accounts.store.payouts.perPayout)
  return {
    left: toWireAmount(left),
    outside: toWireAmount(outside),
    under_way: toWireAmount(underWay),
    drafts: toWireAmount(drafts),
    free: toWireAmount(free),
    parts,
    rest: toWireAmount(rest),
    account: accountThatTook(accounts, row),
  }
}

/**
 * The actions of an open problem that can do something now.
 *
 * @param isPromised whether its order is to be paid in another way
 */
export function possibleActions(
  actions: readonly ProblemAction[],
  view: PayOutView | null,
  isPromised: boolean,
  accounts: Accounts
): ProblemAction[] {
  const possible: Partial<Record<ProblemAction, boolean>> = {
    take_instead: isPromised,
    pay_out: view !== null && view.parts.length > 0 && canPayOut(accounts),
  }
  return actions.filter((action) => possible[action] ?? true)
}

/** Whether payouts are switched on and an account has a signing secret. */
function canPayOut(accounts: Accounts): boolean {
  const { enabled } = accounts.store.payouts
  return enabled && accounts.named().some(({ options }) => options.signingSecret !== undefined)
}

const atLeastNothing = (amount: string) => (compareAmounts(amount, 0) > 0 ? amount : "0")
