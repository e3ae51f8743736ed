import { toWireAmount } from "../../settlement/amount"
import { causeOfRefundDue } from "../../settlement/cause"
import { type AskedRefund, openRequests, refundDue } from "../../settlement/refund-due"
import type { HeldMoney } from "./held-money"
import { subjectOf } from "./problems"
import type PaymentServiceModuleService from "./service"
import type { TransactionRow } from "./service"

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

/**
 * Lets the problem *refund due* follow what is due, because the service cannot pay anything back: opened
 * while something is, closed when nothing is any more.
 *
 * @param row as it is now
 * @returns what is due; decimal text
 */
export async function followRefundDue(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  held: HeldMoney
): Promise<string> {
  const due = await findRefundDue(module, row, held)
  const cause = causeOfRefundDue(row.id)
  if (due === "0" || !held.order) {
    await module.problems.closeCause(cause, "settled")
    return "0"
  }
  await module.problems.open(
    {
      kind: "refund_due",
      cause,
      message:
        `${toWireAmount(due)} ${row.currency} of order ${held.order.id} are to be paid back. The service cannot ` +
        `refund: pay the money back and record it here.${held.order.canceledAt ? "" : requestsInWords(row)}`,
    },
    { ...subjectOf(row), order_id: held.order.id, amount: due, currency: row.currency }
  )
  return due
}

/** Core forgets a refund that was refused: whether a second one is the same again, a person has to know. */
function requestsInWords(row: TransactionRow): string {
  const requests = openRequests(askedOf(row))
  const each = requests.map(({ amount, at }) => `${toWireAmount(amount)} at ${at}`)
  return requests.length > 1
    ? ` It was asked for several times (${each.join(", ")}), and each counts, up to what Medusa holds. If one of ` +
        "them was only repeated, record what really went back, and mark the rest as handled."
    : ""
}

function askedOf({ refunds_asked }: TransactionRow): AskedRefund[] {
  return (refunds_asked ?? []) as unknown as AskedRefund[]
}
