import { MedusaError } from "@medusajs/framework/utils"

import type { LedgerEntryRow, ProblemRow, TransactionRow } from "../modules/payment-service"
import { reportAndOfferRest } from "../payments/apply-decision"
import { bookWaiting } from "../payments/book-refund"
import { loadMedusaState, type SettlePorts } from "../payments/ports"
import { withTargetLock } from "../payments/target-lock"
import { findCapturedMoney, followOrderOf, stillHeld } from "../payments/follow-order"
import type { Ports } from "../payments/read-transaction"
import { isProof, isReversal } from "../payments/rules/ledger"
import { paidSum } from "../payments/rules/transaction"
import { inRubles, PAYOUT_CURRENCY } from "../payouts/rules/payout"
import { reasonOf, refused } from "../refusals/refused"
import type { Sum } from "../texts"
import * as amounts from "../values/amount"
import { closeUntaken, type OpenProblem } from "./open-problem"
import { actionsFor, causeOfBalance, causeOfRefundDue, causeOfTransaction } from "./rules/problems"

/** Finds the money of a problem that must go back now; sums are decimal text. The caller must hold the target, as `actOnProblem` does. */
export async function findMoneyBack(ports: Ports, problem: ProblemRow, row: TransactionRow) {
  const { payment, cart } = await loadMedusaState(ports, row)
  const isInMedusa = row.settled_at !== null || (payment?.isCaptured === true && !cart)
  // Payouts are read before what is due: one that is created in between is counted there, too, and never the other way round.
  const paidBack = await paidBackOf(ports, row)
  const { amount } = isOfOrdersMoney(problem)
    ? await reloadAfterReport(ports, problem, row)
    : problem
  const held = await findCapturedMoney(ports, row)
  const shown = amount ?? paidSum(row).amount
  const due = isInMedusa ? shown : notGoneBack(shown, problem, held.entries)
  const bookable = stillHeld(held)
  return {
    /** Whether an order, or a collection without a cart, took the payment. */
    isInMedusa,
    /** Whether Medusa has a payment of it, perhaps not captured, and no cart that still waits for its order. */
    isTaken: payment !== null && !payment.isCanceled && !cart,
    paidBack,
    atStake: amountAtStake({ ...problem, amount }, row, held.entries),
    /** The sum that must go back and has not. */
    due,
    bookable,
    /** The most that payouts may pay back; Medusa may hold less of the payment than is due. */
    left: isInMedusa ? amounts.smaller(due, bookable) : due,
  }
}

/** The sums of a payment's payouts, with what is under way for any payment of its order. */
const paidBackOf = async (ports: Ports, row: TransactionRow) =>
  await ports.module.payouts.paidBackAmong(await paymentIdsOf(ports, row), row.id)

/** The ids of the payments of a payment's order, or its own id alone. */
export async function paymentIdsOf({ module }: Ports, { id, order_id }: TransactionRow) {
  if (order_id === null) return [id]
  return (await module.listTransactions({ order_id }, { take: null })).map((one) => one.id)
}

/** Whether a problem is about the money of an order as a whole, see `reportBalances`. */
export function isOfOrdersMoney({ order_id: id, cause }: ProblemRow): boolean {
  return id !== null && [causeOfRefundDue(id), causeOfBalance(id)].includes(cause)
}

/** @throws MedusaError `NOT_ALLOWED` while payouts of the money are being sent, or nobody knows whether they went through */
export async function requireNoneUnderWay(ports: Ports, row: TransactionRow): Promise<void> {
  const { underWay } = await paidBackOf(ports, row)
  if (underWay > 0) throw payoutsUnderWay(underWay)
}

export const payoutsUnderWay = (underWay: number) =>
  refused("payouts_under_way", { underWay: inRubles(String(underWay)) })

/** The part of a sum, which Medusa does not hold, that has not gone back in its currency, also for earlier problems of the same money. */
export function notGoneBack(
  sum: string,
  { transaction_row_id, currency }: Pick<ProblemRow, "transaction_row_id" | "currency">,
  ledger: LedgerEntryRow[]
): string {
  const proofs = ledger.filter((line) => isProof(line) && !isReversal(line))
  const back = proofs.filter(
    (line) =>
      line.transaction_row_id === transaction_row_id &&
      line.currency.toUpperCase() === currency?.toUpperCase()
  )
  return back.length ? amounts.remainder(sum, amounts.sumOf(back)) : sum
}

/** The sum that admins see with a problem, without what went back if its money is not taken yet. */
export function amountAtStake(
  problem: ProblemRow,
  row: Pick<TransactionRow, "settled_at"> | null,
  ledger: LedgerEntryRow[]
): string | null {
  const { amount, cause, transaction_row_id: rowId } = problem
  const isUntaken = !problem.closed_at && row?.settled_at === null
  return isUntaken && amount !== null && rowId !== null && cause === causeOfTransaction(rowId)
    ? notGoneBack(amount, problem, ledger)
    : amount
}

export async function requireSeenAtStake(ports: Ports, open: OpenProblem, seen: string | null) {
  const { problem, row } = open
  const ledger = await ports.module.ledger.of(row ? [row.id] : [])
  requireSeen(seen, amountAtStake(problem, row, ledger), problem.currency)
}

/** Requires that the admin has seen this sum with the problem; null where it shows none. */
export function requireSeen(seen: string | null, amount: string | null, currency: string | null) {
  if (amount === null) return
  requireSame(requireNamed("amount", seen), { amount, currency: currency ?? PAYOUT_CURRENCY })
}

/** @throws MedusaError `INVALID_DATA`, in the words of core's validator, when a request lacks a sum that its problem shows */
export function requireNamed(field: "amount" | "cart_total", seen: string | null): string {
  if (seen !== null) return seen
  const message = `Invalid request: Field '${field}' is required`
  throw new MedusaError(MedusaError.Types.INVALID_DATA, message)
}

/** Requires that the sum in an admin's request is this one to the kopeck. Returns it with all its decimals. */
export function requireSame(said: string, { amount, currency }: Sum): string {
  if (amounts.compareSums(said, amount) !== 0) {
    const now = { amount: amounts.toWireAmount(amount), currency }
    throw refused("other_sum", { now, said: { amount: said, currency } })
  }
  return amounts.toDecimalText(amount)
}

/** The problem as it is now: a requested refund may have paid the excess back. */
async function reloadAfterReport(ports: Ports, problem: ProblemRow, row: TransactionRow) {
  await followOrderOf(ports, row)
  const now = await ports.module.retrieveProblem(problem.id)
  if (now.closed_at) {
    const nothing = problem.kind === "paid_twice" ? "no_excess" : "nothing_due"
    throw refused(row.exception === "reversed" ? "reversed_meanwhile" : nothing)
  }
  if (now.transaction_row_id !== problem.transaction_row_id) throw refused("other_payment")
  return now
}

/** A request that had money go back waits for its booking no longer than this. */
const LOCK_WAIT_MS = 3_000

/** Makes Medusa book what went back of a payment, and looks again at what is due. If it fails, the watcher does it a minute later. */
export async function bookMoneyBack(ports: SettlePorts, rowId: string): Promise<void> {
  const { transactions, ledger, logger } = ports.module
  const book = async (row: TransactionRow) => {
    const booked = await bookWaiting(ports, row)
    if (row.settled_at === null) await closeIfGoneBack(ports, row)
    const orderId = await ports.medusa.findOrderId(row.payment_collection_id)
    if (orderId) await reportAndOfferRest(ports, orderId)
    if (booked) await ledger.setToBook(booked, null)
  }
  try {
    await withTargetLock(ports, await transactions.get(rowId), book, LOCK_WAIT_MS)
  } catch (error) {
    logger.warn(`Payment Service: what went back of ${rowId} is booked later: ${reasonOf(error)}`)
  }
}

/** The same for proofs that nobody has booked in time, because a process died, Medusa refused it, or the order was being changed. */
export async function bookDue(ports: SettlePorts): Promise<void> {
  for (const rowId of await ports.module.ledger.claimToBook()) await bookMoneyBack(ports, rowId)
}

/** Closes the problem of money that no order took once all of it went back. */
async function closeIfGoneBack(ports: SettlePorts, row: TransactionRow): Promise<void> {
  const { module } = ports
  const own = { cause: causeOfTransaction(row.id), closed_at: null }
  const [problem] = await module.listProblems(own, { take: 1 })
  // The service may have taken the money back itself meanwhile, or more has come since: that is for a person.
  if (!problem?.amount || !isPayable(problem)) return
  const ledger = await module.ledger.of([row.id])
  if (amounts.compareSums(notGoneBack(problem.amount, problem, ledger), 0) > 0) return
  const { by = null, note = null } = ledger.findLast(({ kind }) => kind === "payout") ?? {}
  const decision = { resolution: "refunded_outside", by, note } as const
  const { payment, cart } = await loadMedusaState(ports, row)
  const isInMedusa = payment?.isCaptured === true && !cart
  await (isInMedusa
    ? module.problems.closeByPerson(problem.id, decision)
    : closeUntaken(ports, row, problem.id, decision))
}

/** Whether a payout can pay back what the problem is about. */
export const isPayable = ({ kind, transaction_row_id }: ProblemRow) =>
  transaction_row_id !== null && actionsFor(kind).includes("pay_out")
