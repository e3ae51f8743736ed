import type { TransactionRow } from "../modules/payment-service"
import { subjectOf } from "../modules/payment-service/problems"
import { toWireAmount } from "../settlement/amount"
import { causeOfRefundDue } from "../settlement/cause"
import { problem } from "../settlement/problems"
import { openRequests, refundDue } from "../settlement/refund-due"
import { findHeldMoney, type HeldMoney } from "./held-money"
import type { Ports, OurModule } from "./ports"
import { askedOf, holdRefunds } from "./refund-requests"

/** How much of a transaction's money is to be paid back now; decimal text. */
async function findRefundDue(
  module: OurModule,
  row: TransactionRow,
  { amount: held, order }: HeldMoney
): Promise<string> {
  return refundDue({
    asked: askedOf(row),
    held,
    isReversed: row.exception === "reversed",
    // A problem closed before the cancellation was about another refund, even if it had the same sum.
    isAllDue:
      order?.canceledAt != null &&
      !(await module.problems.wasClosedByPerson(causeOfRefundDue(row.id), {
        since: order.canceledAt,
        as: { kind: "refund_due", sum: { amount: held, currency: row.currency } },
      })),
  })
}

/**
 * Opens the problem *refund due* of a transaction when money is to be paid back, which the service cannot do
 * itself, and closes it when none is. Under a lease, because the problem tells people to pay: the last caller
 * has seen what the others did.
 *
 * @returns what is due (decimal text), and the row and money that it was judged by
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
    if (due === "0" || !held.order) {
      await module.problems.close([causeOfRefundDue(row.id)])
    } else {
      await openRefundDue(module, row, { due, order: held.order })
    }
    return { due, held, row }
  })
}

async function openRefundDue(
  module: OurModule,
  row: TransactionRow,
  { due, order }: { due: string; order: NonNullable<HeldMoney["order"]> }
): Promise<void> {
  const requests = order.canceledAt ? [] : openRequests(askedOf(row))
  await module.problems.report(
    problem("refund_due", {
      row: row.id,
      order: order.id,
      due: { amount: toWireAmount(due), currency: row.currency },
      requests: requests.map(({ amount, at }) => ({ amount: toWireAmount(amount), at })),
    }),
    { ...subjectOf(row), order_id: order.id, amount: due, currency: row.currency }
  )
}
