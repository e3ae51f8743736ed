import type { Cart } from "../medusa/reader"
import type { TransactionRow } from "../modules/payment-service"
import { bookWaiting } from "../payments/book-refund"
import { loadMedusaState, type SettlePorts } from "../payments/core"
import { reportBalances } from "../payments/follow-order"
import { endOfWait, settleTransaction } from "../payments/queue"
import { readTransaction } from "../payments/read-transaction"
import { amountOf } from "../payments/rules/ledger"
import { isSettledOrHandled, paidSum, providerIdOf } from "../payments/rules/transaction"
import { refused } from "../refusals/refused"
import { redact } from "../service/redact"
import { NOTHING, type Sum, text } from "../texts"
import {
  compareSums,
  inKopecks,
  remainder,
  subtractAmounts,
  toDecimalText,
  toWireAmount,
} from "../values/amount"
import {
  isOfOrdersMoney,
  requireNamed,
  requireNoneUnderWay,
  requireSeenAtStake,
} from "./money-back"
import { doAction, requireTransaction } from "./open-problem"
import { actionsFor, isPromisedOtherwise, problemOf } from "./rules/problems"
import { reasonsText } from "./rules/reasons"

type AcceptAction = "place_order" | "accept_amount" | "take_instead"

/** Sums are decimal text, as the admin saw them with the problem; `cart_total` is null only where it shows none. */
export interface AcceptPaymentInput {
  problem_id: string
  action: AcceptAction
  amount: string
  cart_total: string | null
  accepted_by: string | null
}

/** Takes a payment as it is, by adoption: it gets a new session over the paid sum, for its cart or order, and settles as any other. */
export async function acceptPayment(ports: SettlePorts, input: AcceptPaymentInput) {
  const { problem_id, action, accepted_by: by } = input
  const { module } = ports
  const giveUpAt = endOfWait()
  const rowId = await doAction(ports, { problem_id, action, by, giveUpAt }, async (open) => {
    const row = await readAgain(ports, requireTransaction(open.row), action)
    const paid = sumToAccept(row)
    if (compareSums(input.amount, paid.amount) !== 0) {
      throw refused("other_sum_paid", { paid, seen: { ...paid, amount: input.amount } })
    }
    if (row.exception === "completion_failed") {
      // Payment and session are in order, so the settle only repeats the step that Medusa refused.
      const { cart } = await loadMedusaState(ports, row)
      if (cart) requireSeenTotal(row, cart, input)
      return row.id
    }
    const { cart, isNewOrder } = await findTarget(ports, row, action)
    if (cart && isNewOrder) requireSeenTotal(row, cart, input)
    await adopt(ports, row, cart, { problem_id, by })
    // The row's exception is over; a failure of the settle is a new problem.
    await module.transactions.recordProgress(row)
    await module.problems.closeByPerson(problem_id, { resolution: "accepted", by, note: null })
    return row.id
  })
  return await settleTransaction(ports, rowId, giveUpAt)
}

/** Reads the service once more: only a proof of now is accepted, and nothing while a payout of this money is unknown. */
async function readAgain(ports: SettlePorts, before: TransactionRow, action: AcceptAction) {
  await requireNoneUnderWay(ports, before)
  const accounts = await ports.module.accounts()
  const { row: now, read, decision } = await readTransaction(ports.module, accounts, before)
  const { exception, exception_reasons: reasons } = now
  if (isSettledOrHandled(now) || !exception) throw refused("settled_meanwhile")
  // A row stays `paid` even if the service now says otherwise, so the read's decision counts, too.
  const isPaid = decision.isMoney && now.state === "paid" && now.read_amount !== null
  const isPossible = actionsFor(problemOf(now)?.kind ?? "").includes(action)
  if (!isPaid || !isPossible || (action === "take_instead" && !isPromisedOtherwise(reasons))) {
    const why = reasons?.length ? reasonsText(reasons) : exception
    throw refused("not_acceptable", { status: redact(read.status), why })
  }
  return now
}

async function adopt(
  ports: SettlePorts,
  row: TransactionRow,
  cart: Cart | null,
  decided: { problem_id: string; by: string | null }
): Promise<void> {
  const { module } = ports
  const { amount, currency } = sumToAccept(row)
  const ofCart = cart?.currency.toUpperCase() ?? currency
  if (ofCart !== currency) throw refused("other_currency", { cart: ofCart, paid: currency })
  const lines = await module.ledger.of([row.id])
  const sums = { accepted: remainder(row.amount, amount), waived: remainder(amount, row.amount) }
  for (const kind of ["accepted", "waived"] as const) {
    // This may run again, with another sum by then.
    const more = subtractAmounts(sums[kind], amountOf(lines, kind))
    const line = { kind, amount: more, currency, transaction_row_id: row.id }
    if (Number(more)) await module.ledger.add({ ...line, ...decided })
  }
  await module.transactions.change(row.id, {
    accepted: { amount, cart_total: cart ? toDecimalText(cart.total) : null },
    apply_attempts: 0,
    apply_after: null,
    // The watcher looks at the row again, however old it is, and continues if this process dies or fails.
    watch_at: module.clock.now(),
  })
  const session = await ports.core.createSession(row.payment_collection_id, {
    providerId: providerIdOf(row),
    currency: currency.toLowerCase(),
    amount,
    adopt: row.id,
  })
  const before = await ports.medusa.findSession(row.session_id)
  if (before && before.id !== session.id && !before.payment) {
    await ports.core.deleteSession(before.id)
  }
}

/** The admin must have seen the cart's total; a completed cart, not shown, is worth what was paid (`accept_amount`: asked). */
function requireSeenTotal(row: TransactionRow, cart: Cart, input: AcceptPaymentInput): void {
  const { action, cart_total: seen } = input
  const amount = toWireAmount(cart.total)
  const currency = cart.currency.toUpperCase()
  const paid = sumToAccept(row)
  const expected = action === "place_order" ? paid.amount : row.amount
  const said = cart.isCompleted ? (seen ?? expected) : requireNamed("cart_total", seen)
  if (compareSums(said, amount) !== 0) {
    const shown = seen
      ? text("refusedActions", "cart_total_seen", { seen: { amount: seen, currency } })
      : NOTHING
    throw refused("other_cart_total", { total: { amount, currency }, amount, paid, seen: shown })
  }
}

function sumToAccept(row: TransactionRow): Sum {
  return { ...inKopecks(paidSum(row)), currency: row.currency }
}

/** Finds the cart to pay, perhaps one of which an order is to be made (`isNewOrder`). `take_instead` cancels the promised payments. */
async function findTarget(ports: SettlePorts, row: TransactionRow, action: AcceptAction) {
  const { medusa, core } = ports
  if (action === "take_instead") {
    const promised = await medusa.findOrderMoney(row.payment_collection_id)
    if (promised?.isCanceled) throw refused("order_canceled")
    for (const { id, isCaptured } of promised?.payments ?? []) {
      if (!isCaptured) await core.cancelPayment(id)
    }
  }
  const { cart, order, otherPayment, payment } = await loadMedusaState(ports, row)
  if (otherPayment || (payment && !payment.canceled)) throw refused("payment_held")
  if (order?.canceled) throw refused("order_canceled")
  if (order) {
    return { cart: await medusa.findCart(row.payment_collection_id), isNewOrder: false }
  }
  if (!cart) throw refused("cart_gone")
  return { cart, isNewOrder: true }
}

/** `amount` (decimal text) and `order_id` are those that the admin saw with the problem. */
export interface EndHalfMadeInput {
  problem_id: string
  action: "link_order" | "replace_order"
  amount: string
  order_id: string
  ended_by: string | null
}

/** Ends the waiting of an order that a killed completion left unlinked, and settles its payment: for it, or for a new one. */
export async function endHalfMadeOrder(
  ports: SettlePorts,
  { problem_id, action, amount, order_id, ended_by: by }: EndHalfMadeInput
) {
  const { module, medusa, core } = ports
  const giveUpAt = endOfWait()
  const rowId = await doAction(ports, { problem_id, action, by, giveUpAt }, async (open) => {
    const { problem, row } = open
    const { id, cart_id: cartId, payment_collection_id } = requireTransaction(row)
    if (order_id !== problem.order_id) throw refused("other_order", { seen: order_id })
    await requireSeenAtStake(ports, open, amount)
    const [order] = await medusa.listOrders({ id: order_id })
    if (problem.facts.isLinked || !cartId) throw refused("other_actions", { actions: "handle" })
    if (action === "link_order") {
      if (!order || order.isCanceled) throw refused("order_canceled")
      const taken = await medusa.findOrderId(payment_collection_id)
      if (taken && taken !== order.id) throw refused("cart_ordered")
      await core.linkOrder(order.id, payment_collection_id, cartId)
    } else if (order && !order.isCanceled) {
      await core.cancelOrder(order.id)
    }
    await core.finishKilledCompletion(cartId)
    if (action === "replace_order") await module.problems.close([problem.cause])
    return id
  })
  return await settleTransaction(ports, rowId, giveUpAt)
}

/** An unknown status may concern many transactions, and the admin waits only for these. */
const MOST_AT_ONCE = 20

/** Settles the transactions of a problem again, or looks again at its order's money; if all is in order then, the problem closes. */
export async function retryProblem(
  ports: SettlePorts,
  { problem_id, retried_by: by = null }: { problem_id: string; retried_by?: string | null }
) {
  const giveUpAt = endOfWait()
  const asked = { problem_id, action: "retry", by, giveUpAt } as const
  const { count, oldest } = await doAction(ports, asked, async ({ problem, row }) => {
    if (problem.kind === "unknown_status") {
      return await ports.module.dueTransactions.makeStatusDue(problem.cause, MOST_AT_ONCE)
    }
    if (problem.order_id && isOfOrdersMoney(problem)) {
      if (row) await bookWaiting(ports, row)
      await reportBalances(ports, [problem.order_id])
    }
    return { count: 1, oldest: [requireTransaction(row).id] }
  })
  await Promise.all(oldest.map((rowId) => settleTransaction(ports, rowId, giveUpAt)))
  // Further rows are due now, so that the watcher settles them next.
  return { settled: oldest, left: count - oldest.length }
}
