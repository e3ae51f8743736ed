import type { MedusaContainer } from "@medusajs/framework/types"

import { listCarts } from "../../../../medusa/cart"
import { findCustomers, findOrderNumbers } from "../../../../medusa/search"
import { findNames } from "../../../../medusa/users"
import { paymentServiceModule, type ProblemRow } from "../../../../modules/payment-service"
import { NOTHING_PAID_BACK } from "../../../../modules/payment-service/refund-payouts"
import { sumOf, toWireAmount } from "../../../../settlement/amount"
import { isOutside } from "../../../../settlement/ledger"
import { actionsFor, closingOf, textOf } from "../../../../settlement/problems"
import { isPromisedOtherwise, type PaidFacts } from "../../../../settlement/problems/payments"
import { amountAtStake } from "../../../../workflows/problems/money-back"
import { orderIdsIn, withOrderNumbers } from "../../../../settlement/problems/order-numbers"
import { payOutView, possibleActions } from "./pay-out-view"

/** Problems as admins see them. The amount of each is the sum that must still go back, if there is one. */
export async function problemViews(scope: MedusaContainer, problems: ProblemRow[]) {
  const module = paymentServiceModule(scope)
  const rowIds = [...new Set(problems.flatMap((problem) => problem.transaction_row_id ?? []))]
  const ofStatus = problems.flatMap(({ id, kind }) => (kind === "unknown_status" ? id : []))
  const [payments, paidBack, goneBack, ledger, accounts, money] = await Promise.all([
    module.transactions.findAll(rowIds),
    module.refundPayouts.of(rowIds),
    module.refundPayouts.goneBackOf(rowIds),
    module.ledger.of(rowIds),
    module.accounts(),
    module.problemList.moneyOfStatuses(ofStatus),
  ])
  // Refunds outside whose recording was broken off: they are written down, and their problems are still open.
  const openIds = problems.flatMap(({ id, closed_at }) => (closed_at ? [] : id))
  const begun = ledger.filter(
    (entry) => isOutside(entry) && openIds.includes(entry.problem_id ?? "")
  )
  const open = problems.map((found) => {
    const rowId = found.transaction_row_id ?? ""
    const row = payments.get(rowId) ?? null
    const amount = amountAtStake(found, row, goneBack)
    const problem = { ...found, amount }
    const held = paidBack.get(rowId) ?? NOTHING_PAID_BACK
    const outside = sumOf(begun.filter(({ transaction_row_id }) => transaction_row_id === rowId))
    const ownBegun = begun.find(({ problem_id }) => problem_id === found.id)?.amount ?? null
    const payOut = row ? payOutView(problem, { row, paidBack: held, outside, accounts }) : null
    const actions = actionsFor(problem.kind, problem.transaction_row_id !== null)
    const { reasons } = problem.facts as Partial<PaidFacts>
    const { isLinked } = problem.facts
    const order = { isLinked, isPromised: isPromisedOtherwise(reasons) }
    const possible = possibleActions(actions, payOut, order, accounts)
    const messages = textOf(problem)
    return {
      // An admin's deed may have made the order.
      problem: { ...found, amount, order_id: found.order_id ?? row?.order_id ?? null },
      messages,
      payOut,
      refundBegun: ownBegun && toWireAmount(ownBegun),
      actions: problem.closed_at ? [] : possible,
    }
  })
  const cartIds = open.flatMap(({ problem: { cart_id }, actions }) =>
    cart_id && actions.includes("place_order") ? [cart_id] : []
  )
  const orderIds = open.flatMap(({ problem, messages }) => [
    problem.order_id,
    ...orderIdsIn(messages),
  ])
  const customerIds = problems.map(({ customer_id }) => customer_id)
  const closers = problems.map(({ closed_by }) => closed_by)
  const [totals, numbers, customers, names] = await Promise.all([
    totalsOf(scope, cartIds),
    findOrderNumbers(scope, orderIds),
    findCustomers(scope, customerIds),
    findNames(scope, closers),
  ])
  const moneyOf = (id: string) =>
    money.filter((one) => one.id === id).map(({ id: _id, ...rest }) => rest)
  return open.map(({ problem, messages: withIds, payOut, refundBegun, actions }) => {
    const { cause, created_at, updated_at, deleted_at, ...view } = problem
    const payment = payments.get(problem.transaction_row_id ?? "")
    const messages = withOrderNumbers(withIds, numbers)
    return {
      ...view,
      /** The state of paying its money out; null when no money must go back. */
      pay_out: payOut,
      /** The sum of a refund outside that is written down, but not recorded yet; only this sum finishes it. Null without one. */
      refund_begun: refundBegun,
      /** Says what is wrong, in English, and in each language that an admin may read. */
      message: messages.en,
      messages,
      /** The actions that are possible now; none when it is closed. */
      actions,
      /** The account that opened the payment, and its method; null for a problem without a payment. */
      account: payment?.account ?? null,
      method: payment?.method ?? null,
      /** The number of its order, or of the one that took its payment since. */
      order_number: numbers.get(problem.order_id ?? "") ?? null,
      /** The e-mail address of its customer; null without one, or when that customer is gone. */
      customer_email: customers.get(problem.customer_id ?? "")?.email ?? null,
      /** Tells in each language what closes it without an admin; null when it is closed. */
      closes: problem.closed_at ? null : closingOf(problem.kind),
      /** The name of the admin who closed it; null when it is open or closed automatically. */
      closed_by_name: names.get(problem.closed_by ?? "") ?? null,
      /** The payments with the status that the problem is about, by currency; null for a problem of another kind. */
      payments: ofStatus.includes(problem.id) ? moneyOf(problem.id) : null,
      /** The worth of an order that `place_order` would make now, to the kopeck; null without a cart for it. */
      cart_total: totals.get(problem.cart_id ?? "") ?? null,
    }
  })
}

async function totalsOf(scope: MedusaContainer, cartIds: string[]): Promise<Map<string, string>> {
  if (!cartIds.length) return new Map()
  const carts = await listCarts(scope, cartIds)
  return new Map(
    carts
      .filter(({ isCompleted }) => !isCompleted)
      .map(({ id, total }) => [id, toWireAmount(total)])
  )
}
