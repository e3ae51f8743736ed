import type { Cart } from "../medusa/reader"
import type { Accounts, TransactionRow } from "../modules/payment-service"
import type { SettlePorts } from "../payments/core"
import { loadMedusaState } from "../payments/load-medusa-state"
import { endOfWait, type Settled, settleTransaction } from "../payments/queue"
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
import { requireNamed, requireNoneUnderWay } from "./money-back"
import { doAction, type OpenProblem, requireTransaction } from "./open-problem"
import { actionsFor, isPromisedOtherwise, problemOf } from "./rules/problems"
import { reasonsText } from "./rules/reasons"

export interface AcceptPaymentInput {
  problem_id: string
  /** The chosen action, see `ProblemAction`. */
  action: "place_order" | "accept_amount" | "take_instead"
  /** The paid sum that the admin saw, as decimal text. */
  amount: string
  /** The cart's total that the admin saw with the problem, as decimal text; null only where it shows none. */
  cart_total: string | null
  accepted_by: string | null
}

/**
 * Takes a payment as it is, by adoption: the transaction gets a new session over the paid sum, for its cart or order. Then it
 * settles like any other payment, and a failure opens a problem of its own.
 */
export async function acceptPayment(
  ports: SettlePorts,
  input: AcceptPaymentInput
): Promise<Settled> {
  const { problem_id, action, accepted_by: by } = input
  const { module } = ports
  const giveUpAt = endOfWait()
  const accounts = await module.accounts()
  const accept = async (open: OpenProblem) => {
    const row = await readAgain(ports, requireTransaction(open.row), accounts, action)
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
    const target = await findTarget(ports, row, action)
    if (target.cart && target.isNewOrder) requireSeenTotal(row, target.cart, input)
    await adopt(ports, row, target, { problem_id, by })
    // The row's exception is over; a failure of the settle is a new problem.
    await module.transactions.recordProgress(row)
    const closed = { resolution: "accepted", by, note: null } as const
    await module.problems.closeByPerson(problem_id, closed)
    return row.id
  }
  const rowId = await doAction(ports, { problem_id, action, by }, accept, giveUpAt)
  return await settleTransaction(ports, rowId, giveUpAt)
}

/** Reads the service once more: only a proof of now is accepted, and nothing while a payout of this money is unknown. */
async function readAgain(
  ports: SettlePorts,
  before: TransactionRow,
  accounts: Accounts,
  action: AcceptPaymentInput["action"]
): Promise<TransactionRow> {
  await requireNoneUnderWay(ports, before)
  const { row: now, read, decision } = await readTransaction(ports.module, accounts, before)
  if (isSettledOrHandled(now) || !now.exception) throw refused("settled_meanwhile")
  const found = problemOf(now)
  const isAcceptable =
    found !== null &&
    actionsFor(found.kind).includes(action) &&
    (action !== "take_instead" || isPromisedOtherwise(now.exception_reasons))
  // A row stays `paid` even if the service now says otherwise, so the read's decision counts, too.
  if (!decision.isMoney || now.state !== "paid" || !isAcceptable || now.read_amount === null) {
    const why = now.exception_reasons?.length ? reasonsText(now.exception_reasons) : now.exception
    throw refused("not_acceptable", { status: redact(read.status), why })
  }
  return now
}

async function adopt(
  ports: SettlePorts,
  row: TransactionRow,
  target: Awaited<ReturnType<typeof findTarget>>,
  decided: { problem_id: string; by: string | null }
): Promise<void> {
  const { module } = ports
  const { amount } = sumToAccept(row)
  const currency = target.cart?.currency.toUpperCase() ?? row.currency
  if (currency !== row.currency) {
    throw refused("other_currency", { cart: currency, paid: row.currency })
  }
  const lines = await module.ledger.of([row.id])
  const less = subtractAmounts(row.amount, amount)
  for (const [kind, sum] of [
    ["accepted", remainder(less, 0)],
    ["waived", remainder(0, less)],
  ] as const) {
    // This may run again, with another sum by then.
    const more = subtractAmounts(sum, amountOf(lines, kind))
    const line = { kind, amount: more, currency: row.currency, transaction_row_id: row.id }
    if (Number(more)) await module.ledger.add({ ...line, ...decided })
  }
  await module.transactions.change(row.id, {
    accepted: { amount, cart_total: target.cart ? toDecimalText(target.cart.total) : null },
    apply_attempts: 0,
    apply_after: null,
    // The watcher looks at the row again, however old it is, and continues if this process dies or fails.
    watch_at: module.clock.now(),
  })
  const session = await ports.core.createSession(target.collectionId, {
    providerId: providerIdOf(row),
    currency: row.currency.toLowerCase(),
    amount,
    adopt: row.id,
  })
  // The row is bound to the new session, so the previous one is not needed.
  const before = await ports.medusa.findSession(row.session_id)
  if (before && before.id !== session.id && !before.payment) {
    await ports.core.deleteSession(before.id)
  }
}

/**
 * The order will be worth the cart's total, whatever was paid, so the admin must have seen that total; a completed cart, which no
 * problem shows, must be worth the paid sum (`accept_amount`: the asked one). The cart is held meanwhile; if it changes before the
 * order is made, the settle opens a new problem.
 */
function requireSeenTotal(
  row: TransactionRow,
  cart: Cart,
  { action, cart_total: seen }: AcceptPaymentInput
): void {
  const total = toWireAmount(cart.total)
  const currency = cart.currency.toUpperCase()
  const paid = sumToAccept(row)
  const expected = action === "place_order" ? paid.amount : row.amount
  const said = cart.isCompleted ? (seen ?? expected) : requireNamed("cart_total", seen)
  if (compareSums(said, total) !== 0) {
    const shown = seen && { seen: { amount: seen, currency } }
    throw refused("other_cart_total", {
      total: { amount: total, currency },
      amount: total,
      paid,
      seen: shown ? text("refusedActions", "cart_total_seen", shown) : NOTHING,
    })
  }
}

function sumToAccept(row: TransactionRow): Sum {
  return { ...inKopecks(paidSum(row)), currency: row.currency }
}

/** Finds what is to be paid: the order, or the cart (`isNewOrder`). */
async function findTarget(
  ports: SettlePorts,
  row: TransactionRow,
  action: AcceptPaymentInput["action"]
) {
  if (action === "take_instead") await cancelPromised(ports, row)
  const { cart, order, otherPayment, payment } = await loadMedusaState(ports, row)
  if (otherPayment || (payment && !payment.canceled)) throw refused("payment_held")
  if (order?.canceled) throw refused("order_canceled")
  if (!order && !cart) throw refused("cart_gone")
  const collectionId = row.payment_collection_id
  const present = order ? await ports.medusa.findCart(collectionId) : cart
  return { collectionId, cart: present, isNewOrder: !order }
}

/** Cancels the payments that were promised for the order of this transaction and not taken yet. */
async function cancelPromised({ medusa, core }: SettlePorts, row: TransactionRow): Promise<void> {
  const order = await medusa.findOrderMoney(row.payment_collection_id)
  if (order?.isCanceled) throw refused("order_canceled")
  for (const { id, isCaptured } of order?.payments ?? []) {
    if (!isCaptured) await core.cancelPayment(id)
  }
}
