import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import type { ProblemRow, TransactionRow } from "../../modules/payment-service"
import { refused } from "../../modules/payment-service/refused-deed"
import {
  compareAmounts,
  subtractAmounts,
  toDecimalText,
  toWireAmount,
} from "../../settlement/amount"
import { inRubles } from "../../settlement/payouts/payout"
import { paidSum } from "../../settlement/transaction"
import { proveAndBookRefund } from "../refunds/book-refund"
import type { SettlePorts } from "../ports"
import { followDifference } from "../settle/apply-action"
import { closeHandledPayment } from "./close-handled-payment"
import { findMoneyBack, isOfOrdersMoney, type MoneyBack, requireSeenAtStake } from "./money-back"
import { doDeed, requireTransaction } from "./open-problem"

export interface RefundOutsideInput {
  problem_id: string
  /**
   * The sum that went back by another way than payouts, as decimal text, if the request has it. It may be a part of the due
   * refund, or zero when payouts have paid it back.
   */
  amount: string | null
  /** The way in which the money went back; kept with the proof and the refund. */
  note: string
  given_by: string | null
}

export interface RecordedRefund {
  problem_id: string
  /** Whether Medusa books it only when the open change of the order has ended. */
  waits_for_change: boolean
}

/**
 * Records that the money went back by another way than the service, and the payouts for it. If Medusa holds the payment, these
 * are the refund proofs against which it books refunds: each once, even if this runs twice or is killed in between.
 */
export async function recordRefundOutside(
  ports: SettlePorts,
  input: RefundOutsideInput
): Promise<RecordedRefund> {
  return await recordRefund(ports, "refunded_outside", input)
}

interface RecordPaidOutInput extends Pick<RefundOutsideInput, "problem_id" | "given_by"> {
  /** The sum of the problem that the admin saw, as decimal text, if the request has it. */
  amount?: string | null
  note: string | null
}

/** Records only the payouts, as `recordRefundOutside` does. */
export async function recordPaidOut(
  ports: SettlePorts,
  { amount: seen = null, ...input }: RecordPaidOutInput
): Promise<RecordedRefund> {
  return await recordRefund(ports, "record_refund", { ...input, amount: "0", seen })
}

async function recordRefund(
  ports: SettlePorts,
  action: "refunded_outside" | "record_refund",
  {
    problem_id,
    amount,
    seen = null,
    note,
    given_by: by,
  }: Omit<RefundOutsideInput, "note"> & { note: string | null; seen?: string | null }
): Promise<RecordedRefund> {
  let isBooked = true
  await doDeed(ports, { problem_id, action, by }, async (open) => {
    const { module } = open
    const row = requireTransaction(open.row)
    const closed = { resolution: "refunded_outside", by, note } as const
    const money = await findMoneyBack(ports, open.problem, row)
    await requireSeenAtStake(
      module,
      { problem: await module.retrieveProblem(problem_id), row },
      seen
    )
    requirePaidOut(action, money)
    if (money.isHeld) {
      const outside = amountOutside(open.problem, row, { said: amount, money })
      const { kind } = open.problem
      const proof = {
        kind: kind === "reversed" ? ("reversed" as const) : ("outside" as const),
        problem_id,
        amount: outside,
        note,
        by,
      }
      const isOutside = compareAmounts(outside, 0) > 0
      if (isOutside || compareAmounts(money.paidOut, 0) > 0) {
        isBooked = await proveAndBookRefund(ports, { row, proof: isOutside ? proof : null })
      }
      await atLabelledPoint("refund:booked")
      await module.problems.closeByPerson(problem_id, { ...closed, recorded: money.proofs })
      // A sum that is still due opens a new problem; if nothing is due, an open one is closed.
      if (row.order_id) await followDifference(ports, row, row.order_id)
    } else {
      requireKnown(money, money.left)
      const left = requireSame(amount, money.left, row.currency)
      const back = isNothing(left) ? null : { amount: left, currency: paidSum(row).currency }
      const recorded = money.proofs
      await closeHandledPayment(ports, row, () =>
        module.problems.closeByPerson(problem_id, { ...closed, recorded }, { of: row.id, back })
      )
      // No order is made of it any more, so this only keeps Medusa's payment from being refunded again.
      if (money.isCaptured) {
        await proveAndBookRefund(ports, { row, proof: null })
      }
    }
  })
  return { problem_id, waits_for_change: !isBooked }
}

/** @throws MedusaError `NOT_ALLOWED` when there are no payouts to record, or they do not cover all the money */
function requirePaidOut(action: string, { isHeld, paidOut, left }: MoneyBack): void {
  if (action !== "record_refund") return
  if (compareAmounts(paidOut, 0) === 0) {
    throw refused("no_payout_to_record")
  }
  if (!isHeld && !isNothing(left)) {
    throw refused("not_all_paid_back", { left: inRubles(toWireAmount(left)) })
  }
}

/**
 * The sum that Medusa books besides payouts, with all its decimals. Of an order's money, it is the rest of what must go back or a
 * part in kopecks; else the rest of the problem's sum, but no more than Medusa still holds. What was recorded before decides alone.
 *
 * @throws MedusaError `NOT_ALLOWED` when the given sum is none of these, to the kopeck
 */
function amountOutside(
  problem: ProblemRow,
  { currency }: TransactionRow,
  { said, money }: { said: string | null; money: MoneyBack }
): string {
  const { left, bookable, paidOut, begun } = money
  if (!isNothing(begun)) return requireSame(said, begun, currency)
  const isPaidOut = compareAmounts(paidOut, 0) > 0
  if (isNothing(left)) return requireSame(said, "0", currency)
  if (said !== null && isOfOrdersMoney(problem)) {
    const part = toWireAmount(said)
    const isPart =
      compareAmounts(part, isPaidOut ? 0 : "0.01") >= 0 && compareAmounts(part, left) < 0
    return requireKnown(money, isPart ? toDecimalText(part) : requireSame(said, left, currency))
  }
  const isNone = isPaidOut && said !== null && compareAmounts(said, 0) === 0
  const back = isNone ? "0" : requireSame(said, left, currency)
  const most = bookable ?? "0"
  return requireKnown(money, isSameSum(back, most) || compareAmounts(back, most) > 0 ? most : back)
}

/**
 * Requires that unknown payouts cannot have paid the same money back.
 *
 * @throws MedusaError `NOT_ALLOWED` when the sum outside is more than the rest without those payouts
 */
function requireKnown({ left, paidBack: { underWay } }: MoneyBack, outside: string): string {
  if (underWay > 0 && compareAmounts(outside, subtractAmounts(left, underWay)) > 0) {
    throw refused("payouts_under_way", { underWay: inRubles(String(underWay)) })
  }
  return outside
}

/**
 * @returns `amount` with all its decimals
 * @throws MedusaError `NOT_ALLOWED` when the given sum differs, to the kopeck
 */
function requireSame(said: string | null, amount: string, currency: string): string {
  if (said !== null && !isSameSum(said, amount)) {
    throw refused("other_sum", {
      now: { amount: toWireAmount(amount), currency },
      said: { amount: said, currency },
    })
  }
  return toDecimalText(amount)
}

/** Sums are compared to the kopeck, because nobody pays or types less. */
const isNothing = (amount: string) => isSameSum(amount, "0")
const isSameSum = (left: string, right: string) => toWireAmount(left) === toWireAmount(right)
