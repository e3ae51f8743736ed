import type { OrderMoney } from "../../medusa/order-money"
import { namesTransaction, sumOf } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import type { HandledPart } from "../../modules/payment-service/problems-in-sql"
import { NOTHING_PAID_BACK } from "../../modules/payment-service/refund-payouts"
import { addAmounts, compareAmounts, remainder } from "../../settlement/amount"
import { causeOfBalance } from "../../settlement/cause"
import {
  balanceProblem,
  type BalanceProblem,
  isOwed,
  type OrderBalance,
  partOfExcess,
} from "../../settlement/order-balance"
import type { ProblemKind } from "../../settlement/problems"
import { openRequests } from "../../settlement/refund-due"
import { findHeldMoney, type HeldMoney } from "../../transactions/held-money"
import type { Ports } from "../../transactions/ports"
import { askedOf } from "../../transactions/refund-requests"

interface FollowedOrder {
  order: OrderMoney
  /** The kind of its problem, if there is one. */
  differs: ProblemKind | null
}

/**
 * Opens a problem for each order whose outstanding sum differs from the accepted one, and closes it otherwise. It is called after
 * a capture that leaves a difference, and once a day for every order for which a payment of ours was taken. Money of a canceled
 * order is a refund, which has a problem of its own.
 *
 * @param opens whether problems are opened or updated; else they are only closed
 */
export async function followOrderBalances(
  ports: Ports,
  orderIds: string[],
  { opens = true } = {}
): Promise<FollowedOrder[]> {
  const { module } = ports
  const orders = await ports.medusa.listOrderMoney(orderIds)
  const rows = await module.transactions.listPaidIn(
    orders.flatMap(({ collectionIds }) => collectionIds)
  )
  const [balanced, silent]: [string[], string[]] = [[], []]
  const followed: FollowedOrder[] = []
  for (const order of orders) {
    const ours = rows.filter((row) => isCaptured(row, order))
    const balance = balanceOf(order, ours)
    const differs = order.isCanceled ? null : balanceProblem(balance)
    const problem = differs && (await problemOf(ports, balance, ours))
    if (problem && opens) {
      await module.problems.report(problem.found, {
        ...(problem.row ? subjectOf(problem.row) : {}),
        order_id: order.id,
        amount: problem.amount,
        currency: order.currency.toUpperCase(),
      })
    } else if (!problem) {
      const over = differs || order.isCanceled ? silent : balanced
      over.push(causeOfBalance(order.id))
    }
    followed.push({ order, differs: problem?.found.kind ?? null })
  }
  await module.problems.close(silent)
  await module.problems.closeBalanced(balanced)
  return followed
}

/**
 * Ends what was decided about an order's balance if it is even now, and closes its problem. It opens none: a change that makes the
 * balance uneven is mostly paid for soon, and the daily comparison finds the others.
 */
export async function endEvenBalance(ports: Ports, orderId: string): Promise<void> {
  const cause = causeOfBalance(orderId)
  const [known] = await ports.module.listProblems({ cause, lapsed_at: null }, { take: 1 })
  if (known) await followOrderBalances(ports, [orderId], { opens: false })
}

/** A payment with the money that Medusa holds of it. */
type Held = { row: TransactionRow } & Pick<HeldMoney, "amount" | "unbookedOutside">

/**
 * The problem of an order's balance, and the payment that it names: the last one, or for an excess the one that goes back. Money
 * that the service has taken back is no excess, because the shop does not have it; that has a problem of its own.
 */
async function problemOf(
  ports: Ports,
  balance: OrderBalance,
  ours: TransactionRow[]
): Promise<(BalanceProblem & { row: TransactionRow | undefined }) | null> {
  const problem = balanceProblem(balance)
  const last = ours.at(-1)
  if (problem?.found.kind !== "paid_twice") {
    return problem && { ...problem, row: last }
  }
  const held: Held[] = await Promise.all(
    // Of payments that are equal otherwise, the last one is named.
    ours.toReversed().map(async (row) => ({ row, ...(await findHeldMoney(ports, row)) }))
  )
  const [reversed, kept] = [true, false].map((isReversed) =>
    held.filter(({ row }) => (row.exception === "reversed") === isReversed)
  )
  const excess = balanceProblem({
    ...balance,
    outstanding: addAmounts(balance.outstanding, sumOf(reversed ?? [])),
  })
  if (excess?.found.kind !== "paid_twice") {
    return null
  }
  const handled = await ports.module.problems.listHandledParts(excess.found)
  const named = await paymentToRefund(ports, kept ?? [], handled)
  const left = remainder(excess.amount, sumOf(handled))
  if (named && isOwed(left)) {
    const part = compareAmounts(left, named.amount) < 0 ? left : named.amount
    return { ...partOfExcess(excess, part), row: named.row }
  }
  return handled.length > 0 ? null : { ...excess, row: last }
}

/**
 * The payment of which an excess goes back. One whose refund has begun or was asked for comes first, so that the same excess never
 * goes back of two payments; then the one that holds most.
 *
 * @param handled parts of the same excess that a person took care of
 */
async function paymentToRefund(
  { module }: Ports,
  held: Held[],
  handled: HandledPart[]
): Promise<Held | undefined> {
  const payouts = await module.refundPayouts.of(held.map(({ row }) => row.id))
  const urgency = ({ row, unbookedOutside }: Held) => {
    const { paidOut, underWay, drafts } = payouts.get(row.id) ?? NOTHING_PAID_BACK
    if (paidOut + underWay + drafts > 0 || compareAmounts(unbookedOutside, 0) > 0) return 2
    return openRequests(askedOf(row)).length > 0 ? 1 : 0
  }
  return held
    .filter(({ amount }) => compareAmounts(amount, 0) > 0)
    .filter(({ row }) => !handled.some(({ rowId }) => rowId === row.id))
    .toSorted(
      (one, other) => urgency(other) - urgency(one) || compareAmounts(other.amount, one.amount)
    )[0]
}

function balanceOf(
  { id, displayId, currency, worth, paid, outstanding }: OrderMoney,
  ours: TransactionRow[]
): OrderBalance {
  const accepted = ours.reduce(
    (sum, { amount, accepted_amount }) =>
      accepted_amount === null ? sum : addAmounts(addAmounts(sum, amount), `-${accepted_amount}`),
    "0"
  )
  return { name: `#${displayId}`, orderId: id, currency, worth, paid, outstanding, accepted }
}

/** Whether Medusa has captured the row's payment for the order, because only then does its accepted sum count. */
function isCaptured(row: TransactionRow, { payments }: OrderMoney): boolean {
  return payments.some(
    (payment) =>
      payment.collectionId === row.payment_collection_id &&
      namesTransaction(payment, row) &&
      payment.isCaptured
  )
}
