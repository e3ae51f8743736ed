import type { MedusaContainer } from "@medusajs/framework/types"

import {
  paymentServiceModule,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../modules/payment-service"
import { subjectOf } from "../modules/payment-service/problems"
import { toWireAmount } from "../settlement/amount"
import { causeOfRefundDue } from "../settlement/cause"
import { problem } from "../settlement/problems"
import { type AskedRefund, openRequests, refundDue } from "../settlement/refund-due"
import { findHeldMoney, type HeldMoney } from "./held-money"

/** How much of a transaction's money is to be paid back now; decimal text. */
async function findRefundDue(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  { amount: held, order }: HeldMoney
): Promise<string> {
  return refundDue({
    asked: askedOf(row),
    held,
    isReversed: row.exception === "reversed",
    // What was closed before the cancellation was another refund, over the same sum by chance.
    isAllDue:
      order?.canceledAt != null &&
      !(await module.problems.wasClosedByPerson(causeOfRefundDue(row.id), {
        since: order.canceledAt,
        as: { kind: "refund_due", sum: { amount: held, currency: row.currency } },
      })),
  })
}

/** Looking takes a few statements; the lease of one who died ends soon. */
const LEASE = { ttlMs: 10_000, waitMs: 15_000 }

/**
 * Lets the problem *refund due* of a transaction follow what is due, because the service cannot pay anything
 * back: opened while something is, closed when nothing is any more. One at a time, because it tells people
 * to pay: who comes last has seen what the others did.
 *
 * @returns what is due (decimal text), and what it was judged by
 */
export async function followRefundDue(
  container: MedusaContainer,
  rowId: string
): Promise<{ due: string; held: HeldMoney; row: TransactionRow }> {
  const module = paymentServiceModule(container)
  return await module.leases.hold(`refund:${rowId}`, LEASE, async () => {
    const row = await module.transactions.get(rowId)
    const held = await findHeldMoney(container, row)
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
  module: PaymentServiceModuleService,
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

function askedOf({ refunds_asked }: TransactionRow): AskedRefund[] {
  return Object.values(refunds_asked ?? {}) as AskedRefund[]
}
