import { causeOfRefundDue } from "../../settlement/cause"
import type PaymentServiceModuleService from "./service"
import type { TransactionRow } from "./service"
import { subjectOf } from "./problems"

/**
 * Has a person closed this refund since the order was canceled? One that they closed before was another,
 * over the same sum by chance.
 */
export async function wasRefundClosed(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  { amount, canceledAt }: { amount: string; canceledAt: Date | null }
): Promise<boolean> {
  return await module.reconciliation.wasClosedByPerson(
    { kind: "refund_due", cause: causeOfRefundDue(row.id) },
    { amount, currency: row.currency },
    canceledAt
  )
}

/** Money of an order has to go back, and the service cannot do it. */
export async function openRefundDue(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  due: { amount: string; orderId: string }
): Promise<void> {
  await module.problems.open(
    {
      kind: "refund_due",
      cause: causeOfRefundDue(row.id),
      message:
        `${due.amount} ${row.currency} of order ${due.orderId} are to be paid back. The service cannot ` +
        "refund: pay the money back and record it here.",
    },
    { ...subjectOf(row), order_id: due.orderId, amount: due.amount, currency: row.currency }
  )
}
