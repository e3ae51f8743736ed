import type { MedusaContainer } from "@medusajs/framework/types"

import { MedusaReader } from "../medusa/reader"
import { findCustomers, findNames, findOrderNumbers } from "../medusa/search"
import {
  type Accounts,
  paymentServiceModule,
  type ProblemRow,
  type TransactionRow,
} from "../modules/payment-service"
import { accountThatTook } from "../payouts/draft-payout"
import { PAYOUT_CURRENCY, refundParts } from "../payouts/rules/payout"
import { NOTHING_PAID_BACK, type PaidBack } from "../payouts/statements/payouts"
import { hasText, NOTHING, type Text, text } from "../texts"
import { remainder, toWireAmount } from "../values/amount"
import { amountAtStake, isPayable } from "./money-back"
import * as kinds from "./rules/problems"
import { SHORT_NUMBER } from "./statements/problems"

const makesOrder = (action: kinds.ProblemAction) =>
  action === "place_order" || action === "accept_amount"

/** Problems as admins see them. The amount of each is the sum that must still go back, if there is one. */
export async function problemViews(
  scope: MedusaContainer,
  problems: ProblemRow[],
  { seesCustomers }: { seesCustomers: boolean }
) {
  const module = paymentServiceModule(scope)
  const rowIds = [...new Set(problems.flatMap((problem) => problem.transaction_row_id ?? []))]
  const ofStatus = problems.flatMap(({ id, kind }) => (kind === "unknown_status" ? id : []))
  const [payments, paidBack, ledger, accounts, money] = await Promise.all([
    module.transactions.findAll(rowIds),
    module.payouts.paidBackOf(rowIds),
    module.ledger.of(rowIds),
    module.accounts(),
    module.problemList.moneyOfStatuses(ofStatus),
  ])
  // An admin's action may have made the order.
  const orderIdOf = ({ order_id, transaction_row_id }: ProblemRow) =>
    order_id ?? payments.get(transaction_row_id ?? "")?.order_id ?? null
  const cartIds = problems.flatMap(({ closed_at, cart_id, kind }) =>
    !closed_at && cart_id && kinds.actionsFor(kind).some(makesOrder) ? [cart_id] : []
  )
  const orderIds = problems.flatMap((problem) => [
    orderIdOf(problem),
    ...kinds.orderIdsIn(kinds.textOf(problem)),
  ])
  const closers = problems.map(({ closed_by }) => closed_by)
  const [carts, numbers, customers, names] = await Promise.all([
    cartIds.length ? new MedusaReader(scope).listCarts(cartIds) : [],
    findOrderNumbers(scope, orderIds),
    findCustomers(scope, seesCustomers ? problems.map(({ customer_id }) => customer_id) : []),
    findNames(scope, closers),
  ])
  return problems.map((found) => {
    const rowId = found.transaction_row_id ?? ""
    const row = payments.get(rowId) ?? null
    const problem = { ...found, amount: amountAtStake(found, row, ledger) }
    const orderId = orderIdOf(problem)
    const orderNumber = numbers.get(orderId ?? "") ?? null
    const held = paidBack.get(rowId) ?? NOTHING_PAID_BACK
    const payOut = row ? payOutView(problem, row, held, accounts) : null
    const possible = problem.closed_at ? [] : possibleActions(problem, payOut, accounts)
    const cart = carts.find(({ id }) => id === problem.cart_id)
    const isCartGone = problem.cart_id !== null && orderId === null && !cart
    const actions = possible.filter((action) => !(isCartGone && makesOrder(action)))
    const { cause, created_at, updated_at, deleted_at, ...view } = problem
    const messages = kinds.withOrderNumbers(kinds.textOf(problem), numbers)
    const customer = customers.get(problem.customer_id ?? "")
    return {
      ...view,
      order_id: orderId,
      pay_out: payOut,
      message: messages.en,
      messages,
      /** The actions that are possible now; pages propose the first. */
      actions,
      account: row?.account ?? null,
      method: row?.method ?? null,
      order_number: orderNumber,
      customer_email: customer?.email ?? null,
      customer_name: customer?.name ?? null,
      /** Says in each language, in a line, what to do about it; null when it is closed. */
      advice: problem.closed_at ? null : kinds.adviceOf(problem.kind, orderNumber),
      /** Tells in each language what closes it without an admin; null when it is closed, and when waiting is wrong. */
      closes: problem.closed_at ? null : kinds.closingOf(problem.kind),
      closed_by_name: names.get(problem.closed_by ?? "") ?? null,
      /** The payments with the status that the problem is about, by currency; null for a problem of another kind. */
      payments: ofStatus.includes(problem.id)
        ? money.filter(({ id }) => id === problem.id).map(({ id: _id, ...rest }) => rest)
        : null,
      /** The worth of an order that `place_order` or `accept_amount` would make now, to the kopeck; null without a cart for it. */
      cart_total:
        cart?.isCompleted === false && possible.some(makesOrder) ? toWireAmount(cart.total) : null,
    }
  })
}

/** The sums (in rubles, decimal text) that were paid out, and that can be; null for a problem without rubles to pay back. */
function payOutView(
  problem: ProblemRow,
  row: TransactionRow,
  { underWay, drafts }: PaidBack,
  accounts: Accounts
) {
  const { closed_at, currency, amount } = problem
  const goesBack = !closed_at && isPayable(problem)
  if (amount === null || !goesBack || currency?.toUpperCase() !== PAYOUT_CURRENCY) return null
  const free = remainder(amount, underWay + drafts)
  const { parts, rest } = refundParts(free, accounts.store.payouts.perPayout)
  return {
    /** The sum to pay back; it includes `under_way` and `drafts`. */
    left: toWireAmount(amount),
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
    account: accountThatTook(accounts, row),
  }
}

function possibleActions(
  { kind, facts, transaction_row_id: rowId }: ProblemRow,
  payOut: ReturnType<typeof payOutView>,
  accounts: Accounts
): kinds.ProblemAction[] {
  // The order that a killed completion left is not linked to its cart.
  const isLeft = facts.isLinked === false
  const possible: Partial<Record<kinds.ProblemAction, boolean>> = {
    place_order: (facts as Partial<kinds.PaidFacts>).exception !== "order_canceled",
    take_instead: kinds.isPromisedOtherwise((facts as Partial<kinds.PaidFacts>).reasons),
    link_order: isLeft,
    replace_order: isLeft,
    handle: !isLeft,
    pay_out: payOut !== null && payOut.parts.length > 0 && accounts.canPayOut(),
  }
  return kinds.actionsFor(kind, rowId !== null).filter((action) => possible[action] ?? true)
}

/** The words of the dashboard's feed for a problem; null when it is closed by now. They end with a number that the search finds. */
export async function notificationOf(
  container: MedusaContainer,
  problemId: string,
  language: keyof Text
) {
  const module = paymentServiceModule(container)
  const open = await module.listProblems({ id: problemId, closed_at: null }, { take: 1 })
  const [view] = await problemViews(container, open, { seesCustomers: true })
  if (!view) return null
  const { kind, id, messages, customer_email: customer, amount, currency } = view
  const paid = amount && currency && { sum: { amount, currency } }
  const sum = paid ? text("notifications", "sum", paid) : NOTHING
  const named = hasText("problemKinds", kind) ? text("problemKinds", kind) : { en: kind, ru: kind }
  const number = text("notifications", "number", { number: id.slice(-SHORT_NUMBER) })
  return {
    title: text("notifications", "problem", { kind: named, sum })[language],
    description: `${messages[language]} · ${number[language]}`,
    /** The same with the customer, for no log; null without one. */
    whole: customer && `${messages[language]} · ${customer} · ${number[language]}`,
  }
}
