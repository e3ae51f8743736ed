import type { Cart } from "../medusa/reader"
import type { Accounts, ProblemRow, TransactionRow } from "../modules/payment-service"
import { reportAndOfferRest } from "../payments/apply-decision"
import { bookWaiting } from "../payments/book-refund"
import { loadMedusaState, type SettlePorts } from "../payments/ports"
import { requireLock } from "../payments/target-lock"
import { findCapturedMoney, reportBalances, stillHeld } from "../payments/follow-order"
import { endOfWait, settleTransaction } from "../payments/queue"
import { readPlaces } from "../payments/read-places"
import { lookAt, type Ports, readTransaction } from "../payments/read-transaction"
import { amountOf } from "../payments/rules/ledger"
import {
  isSameMerchant,
  isSettledOrHandled,
  merchantAccountId,
  merchantAccountOf,
  paidSum,
  providerIdOf,
} from "../payments/rules/transaction"
import { refused, refusedPayment } from "../refusals/refused"
import { TIMEOUTS } from "../service/client"
import { nullIfNotFound } from "../service/errors"
import { redact } from "../service/redact"
import type { Sum } from "../texts"
import * as amounts from "../values/amount"
import * as moneyBack from "./money-back"
import { actOnTransaction, closeUntaken, doAction, requireTransaction } from "./open-problem"
import { actionsFor, causeOfTransaction, isPromisedOtherwise, problemOf } from "./rules/problems"
import { reasonsText } from "./rules/reasons"

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
    await moneyBack.requireSeenAtStake(ports, open, amount)
    if (row && moneyBack.isPayable(problem)) await moneyBack.requireNoneUnderWay(ports, row)
    const handled = { resolution: "handled", by, note } as const
    if (row && !row.settled_at && problem.cause === causeOfTransaction(row.id)) {
      return await closeUntaken(ports, row, problem_id, handled)
    }
    const ofOrder = moneyBack.isOfOrdersMoney(problem) ? problem.order_id : null
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
  const { problems, ledger } = ports.module
  const isBooked = await doAction(ports, { problem_id, action, by }, async (open) => {
    const { problem } = open
    const row = requireTransaction(open.row)
    // The service confirms the payment again, and the problem is about to be closed.
    if (problem.kind === "reversed" && row.exception !== "reversed") throw refused("problem_closed")
    const money = await moneyBack.findMoneyBack(ports, problem, row)
    moneyBack.requireSeen(amount, money.atStake, problem.currency)
    const sum = amountOutside(problem, row.currency, part ?? money.due, money)
    const back = amounts.compareSums(sum, 0) === 0 ? null : { ...paidSum(row), amount: sum }
    const decision = { resolution: action, by, note, back } as const
    requireLock()
    await (money.isInMedusa
      ? problems.closeByPerson(problem_id, decision)
      : closeUntaken(ports, row, problem_id, decision))
    // The watcher books what fails here, and logs what hinders that.
    const booked = await bookWaiting(ports, row).catch(() => null)
    // A sum that is still due opens a new problem; if nothing is due, an open one is closed.
    if (money.isInMedusa && row.order_id) await reportAndOfferRest(ports, row.order_id)
    if (booked) await ledger.setToBook(booked, null)
    return booked !== null
  })
  // Medusa books it only later while the order is being changed, for example.
  return { problem_id, waits_for_change: !isBooked }
}

type MoneyBack = Awaited<ReturnType<typeof moneyBack.findMoneyBack>>

/** The sum that went back: of an order's money, what is due or a part; else the problem's rest, at most what Medusa still holds. */
function amountOutside(problem: ProblemRow, currency: string, said: string, money: MoneyBack) {
  const { due, bookable, isInMedusa } = money
  const part = amounts.toWireAmount(said)
  const isLess = amounts.compareSums(part, "0.01") >= 0 && amounts.compareSums(part, due) < 0
  const isPart = isLess && isInMedusa && moneyBack.isOfOrdersMoney(problem)
  const back = isPart
    ? amounts.toDecimalText(part)
    : moneyBack.requireSame(said, { amount: due, currency })
  const outside = isInMedusa
    ? amounts.smaller(back, bookable)
    : amounts.inKopecks({ amount: back }).amount
  const { underWay } = money.paidBack
  // Unknown payouts may have paid the same money back.
  if (underWay > 0 && amounts.compareSums(outside, amounts.subtractAmounts(due, underWay)) > 0) {
    throw moneyBack.payoutsUnderWay(underWay)
  }
  return outside
}

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
    if (amounts.compareSums(input.amount, paid.amount) !== 0) {
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
  await moneyBack.requireNoneUnderWay(ports, before)
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
  const sums = {
    accepted: amounts.remainder(row.amount, amount),
    waived: amounts.remainder(amount, row.amount),
  }
  for (const kind of ["accepted", "waived"] as const) {
    // This may run again, with another sum by then.
    const more = amounts.subtractAmounts(sums[kind], amountOf(lines, kind))
    const line = { kind, amount: more, currency, transaction_row_id: row.id }
    if (Number(more)) await module.ledger.add({ ...line, ...decided })
  }
  await module.transactions.change(row.id, {
    accepted: { amount, cart_total: cart ? amounts.toDecimalText(cart.total) : null },
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
  const amount = amounts.toWireAmount(cart.total)
  const currency = cart.currency.toUpperCase()
  const paid = sumToAccept(row)
  const expected = action === "place_order" ? paid.amount : row.amount
  const said = cart.isCompleted ? (seen ?? expected) : moneyBack.requireNamed("cart_total", seen)
  if (amounts.compareSums(said, amount) !== 0) {
    throw refused("other_cart_total", { total: { amount, currency }, amount, paid })
  }
}

function sumToAccept(row: TransactionRow): Sum {
  return { ...amounts.inKopecks(paidSum(row)), currency: row.currency }
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
  if (otherPayment || (payment && !payment.isCanceled)) throw refused("payment_held")
  if (order?.isCanceled) throw refused("order_canceled")
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
    await moneyBack.requireSeenAtStake(ports, open, amount)
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
    if (problem.order_id && moneyBack.isOfOrdersMoney(problem)) {
      if (row) await bookWaiting(ports, row)
      await reportBalances(ports, [problem.order_id])
    }
    return { count: 1, oldest: [requireTransaction(row).id] }
  })
  await Promise.all(oldest.map((rowId) => settleTransaction(ports, rowId, giveUpAt)))
  // Further rows are due now, so that the watcher settles them next.
  return { settled: oldest, left: count - oldest.length }
}

/** The sum that Medusa holds of a payment and that has not gone back, as decimal text; null when there is nothing to refund. */
export async function findRefundable(ports: Ports, row: TransactionRow): Promise<string | null> {
  if (row.settled_at === null || row.exception === "reversed") return null
  const held = stillHeld(await findCapturedMoney(ports, row))
  return amounts.isOwed(held) ? held : null
}

/**
 * Writes down that `amount` of a payment is to go back, unless that is due already: the problem *refund due* of its order asks for it
 * until the money has gone back. All sums are decimal text.
 *
 * @param asked `held`: the sum that Medusa held of the payment when the admin saw it
 * @throws MedusaError `NOT_ALLOWED` when Medusa holds another sum by now, or less than is to go back
 */
export async function askRefund(
  ports: SettlePorts,
  row: TransactionRow,
  { amount, held: seen, by }: { amount: string; held: string; by: string | null }
): Promise<void> {
  const { module, medusa } = ports
  const orderId = await medusa.findOrderId(row.payment_collection_id)
  if (!orderId || row.settled_at === null) throw refused("nothing_held")
  // A person must not pay back money that the service has taken back itself.
  await lookAt(module, await module.accounts(), row)
  await actOnTransaction(ports, row, async (now) => {
    if (now.exception === "reversed") throw refusedPayment("refund_of_reversed")
    const held = (await findRefundable(ports, now)) ?? "0"
    const sum = { amount: held, currency: now.currency }
    if (amounts.compareSums(held, seen) !== 0) throw refused("other_sum_held", { held: sum })
    if (amounts.compareSums(amount, held) > 0) throw refused("more_than_held", { held: sum })
    const [followed] = await reportBalances(ports, [orderId])
    if (!followed) return
    const { asked, back } = followed.due
    const due = amounts.sumOf(asked)
    // The refunds that were asked for of the order's other payments go back besides.
    const ofOthers = asked.filter(({ transaction_row_id: id }) => id !== now.id)
    const all = amounts.addAmounts(amount, amounts.sumOf(ofOthers))
    if (amounts.compareSums(amounts.larger(back, due), all) >= 0) return
    const line = { kind: "asked", amount: amounts.subtractAmounts(all, due), by } as const
    await module.ledger.add({ ...line, transaction_row_id: now.id, currency: now.currency })
    await reportBalances(ports, [orderId])
  })
}

/** Gives a row whose creation had no reply the id that the service's account area shows. It is settled at once, or by the watcher. */
export async function identifyTransaction(
  ports: SettlePorts,
  rowId: string,
  transactionId: string,
  by: string
): Promise<void> {
  const { module } = ports
  const giveUpAt = endOfWait()
  await module.openings.giveUpUnanswered()
  const row = await module.transactions.get(rowId)
  if (row.transaction_id?.toLowerCase() !== transactionId.toLowerCase()) {
    if (row.transaction_id !== null) throw refused("id_known", { id: row.transaction_id })
    // A reply may still come, and bring the id.
    if (row.state === "creating") throw refused("being_opened")
    const accounts = await module.accounts()
    if (!(await bindConfirmed({ module, accounts }, row, transactionId))) {
      throw refused("id_of_other", { id: transactionId, reference: rowId })
    }
    await module.enterAction(rowId, "identified", by)
  }
  await settleTransaction(ports, rowId, giveUpAt).catch(() => undefined)
}

/** Gives the row this id, if the service answers for it with our reference and merchant; returns whether the row has it now. */
export async function bindConfirmed(
  { module, accounts }: Pick<Ports, "module"> & { accounts: Accounts },
  row: TransactionRow,
  transactionId: string
): Promise<boolean> {
  const client = accounts.client(accounts.getForRow(row))
  const merchant = merchantAccountId(merchantAccountOf(row))
  const place = { timeoutMs: TIMEOUTS.readMs, by: "beside" } as const
  const details = await readPlaces.take(accounts, merchant, place, (timeoutMs) =>
    nullIfNotFound(client.getTransaction(transactionId, { timeoutMs }))
  )
  const isOurs = details?.payload === row.id && isSameMerchant(details.merchantId, row.merchant_id)
  return isOurs && (await module.openings.bind(row.id, details.id, details.status))
}
