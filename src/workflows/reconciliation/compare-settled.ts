import { listOrders } from "../../medusa/order"
import { listPayments, namesTransaction } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { causeOfGone } from "../../settlement/cause"
import { type FoundProblem, problem } from "../../settlement/problems"
import { standingOf } from "../../settlement/standing"
import { paidSum } from "../../settlement/transaction"
import type { Comparison } from "./comparison"
import { type Page, pagesOf } from "./pages"

const PAGE = 200

/**
 * The other direction of `comparePayments`: the captured payment of each settled row must still be in Medusa, however old it is,
 * and so must its order. Core deletes both when an admin deletes a draft order that was paid. An order that was canceled or
 * archived is still there, and so is a payment that was refunded.
 */
export async function compareSettled(comparison: Comparison): Promise<void> {
  const { module, counts, otherMerchants } = comparison
  const load = (page: Page) => module.reconciliation.settledRows(otherMerchants, page)
  for await (const rows of pagesOf(PAGE, load)) {
    const gone = await findGone(comparison, rows)
    counts.differences += gone.size
    for (const [row, found] of gone) await module.problems.report(found, subjectOf(row))
    await module.problems.close(rows.flatMap((row) => (gone.has(row) ? [] : causeOfGone(row.id))))
  }
}

/** The rows whose payment or order is not in Medusa any more, with their problems. */
async function findGone(
  { container }: Comparison,
  rows: TransactionRow[]
): Promise<Map<TransactionRow, FoundProblem>> {
  const payments = await listPayments(container, {
    payment_collection_id: rows.map(({ payment_collection_id }) => payment_collection_id),
    captured_at: { $ne: null },
  })
  const orders = await listOrders(container, { id: rows.flatMap(({ order_id }) => order_id ?? []) })
  const orderIds = new Set(orders.map(({ id }) => id))
  const gone = new Map<TransactionRow, FoundProblem>()
  for (const row of rows) {
    // Money that was taken back, or that a person took care of, does not wait for an order.
    if (standingOf(row) !== "settled") continue
    const { id, order_id: order, transaction_id: transaction } = row
    const ours = { row: id, transaction, seen: paidSum(row) }
    if (order && !orderIds.has(order)) {
      gone.set(row, problem("records_differ", { ...ours, found: "order_gone", order }))
    } else if (!payments.some((payment) => namesTransaction(payment, row))) {
      gone.set(row, problem("records_differ", { ...ours, found: "payment_gone" }))
    }
  }
  return gone
}
