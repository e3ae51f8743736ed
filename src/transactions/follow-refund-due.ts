import type { TransactionRow } from "../modules/payment-service"
import { subjectOf } from "../modules/payment-service/problems"
import { sumOf } from "../medusa/payments"
import { addAmounts, compareAmounts, subtractAmounts, toWireAmount } from "../settlement/amount"
import { causeOfRefundDue } from "../settlement/cause"
import { problem } from "../settlement/problems"
import { openRequests, refundDue } from "../settlement/refund-due"
import { findHeldMoney, type HeldMoney } from "./held-money"
import type { Ports, OurModule } from "./ports"
import { askedOf, holdRefunds } from "./refund-requests"

/**
 * The sum of a transaction's money that must be paid back; decimal text. It includes payouts until somebody has recorded them,
 * whether or not Medusa has booked them already.
 */
async function findRefundDue(
  module: OurModule,
  row: TransactionRow,
  { amount, paidOut, unbooked, order }: HeldMoney
): Promise<string> {
  const booked = subtractAmounts(sumOf(paidOut), sumOf(unbooked))
  const held = addAmounts(amount, booked)
  return refundDue({
    asked: askedOf(row),
    held,
    isReversed: row.exception === "reversed",
    // A closing before the cancellation was about another refund, even with the same sum.
    isAllDue:
      order?.canceledAt != null &&
      !(await module.problems.wasClosedByPerson(causeOfRefundDue(row.id), {
        since: order.canceledAt,
        as: { kind: "refund_due", sum: { amount: held, currency: row.currency } },
      })),
  })
}

/**
 * Opens the problem *refund due* of a transaction when money must be paid back, which the service cannot do itself, and closes it
 * otherwise. It stays open until somebody has recorded the payouts for it. A lease guards it, because the problem tells people to
 * pay: each caller sees the result of the earlier ones.
 *
 * @returns the sum that is due (decimal text, including unrecorded payouts), and the row and money that it was judged by
 */
export async function followRefundDue(
  ports: Ports,
  rowId: TransactionRow["id"]
): Promise<{ due: string; held: HeldMoney; row: TransactionRow }> {
  const { module } = ports
  return await holdRefunds(module, rowId, async () => {
    const row = await module.transactions.get(rowId)
    const held = await findHeldMoney(ports, row)
    const due = held.order ? await findRefundDue(module, row, held) : "0"
    const left = subtractAmounts(due, sumOf(held.paidOut))
    const isToBeRecorded = await followPaidOut(module, held)
    const isLeft = compareAmounts(toWireAmount(left), 0) > 0 || isToBeRecorded
    if (isLeft && held.order) {
      await openRefundDue(module, row, { due, held, order: held.order })
    } else {
      await module.problems.close([causeOfRefundDue(row.id)])
    }
    return { due, held, row }
  })
}

/**
 * Whether a payout must be recorded at *refund due*, and not at another problem for which it was made. A refund that Medusa has
 * booked for a closed problem counts as recorded: the admin's process died in between.
 */
async function followPaidOut(module: OurModule, { paidOut, unbooked }: HeldMoney) {
  if (!paidOut.length) return false
  const ids = [...new Set(paidOut.flatMap(({ problem_id }) => problem_id ?? []))]
  const others = (await module.listProblems({ id: ids }, { take: ids.length })).filter(
    ({ kind }) => kind !== "refund_due"
  )
  const over = others.filter(({ closed_at }) => closed_at).map(({ id }) => id)
  const isBooked = ({ id }: { id: string }) => !unbooked.some((proof) => proof.id === id)
  const booked = paidOut.filter((proof) => isBooked(proof) && over.includes(proof.problem_id ?? ""))
  if (booked.length) await module.refundPayouts.recordBooked(booked.map(({ id }) => id))
  const open = others.filter(({ closed_at }) => !closed_at).map(({ id }) => id)
  return (
    // A payout without a problem is reported until somebody records it, even if Medusa has booked it.
    paidOut.some(({ problem_id }) => problem_id === null) ||
    unbooked.some(({ problem_id }) => !open.includes(problem_id ?? ""))
  )
}

async function openRefundDue(
  module: OurModule,
  row: TransactionRow,
  {
    due: dueByMedusa,
    held,
    order,
  }: { due: string; held: HeldMoney; order: NonNullable<HeldMoney["order"]> }
): Promise<void> {
  const paidOut = sumOf(held.paidOut)
  // Paid-out money may exceed the due sum, for example when the service has taken the payment back itself.
  const due = compareAmounts(paidOut, dueByMedusa) > 0 ? paidOut : dueByMedusa
  const requests = order.canceledAt ? [] : openRequests(askedOf(row))
  await module.problems.report(
    problem("refund_due", {
      row: row.id,
      order: order.id,
      due: { amount: toWireAmount(due), currency: row.currency },
      ...(held.paidOut.length
        ? { paid_out: { amount: toWireAmount(paidOut), currency: row.currency } }
        : {}),
      requests: requests.map(({ amount, at }) => ({ amount: toWireAmount(amount), at })),
    }),
    { ...subjectOf(row), order_id: order.id, amount: due, currency: row.currency }
  )
}
