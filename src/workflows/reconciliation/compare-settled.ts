import { namesTransaction } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { inKopecks, isOwed } from "../../settlement/amount"
import { causeOfGone } from "../../settlement/cause"
import { problem } from "../../settlement/problems"
import { standingOf } from "../../settlement/standing"
import { paidSum } from "../../settlement/transaction"
import { settlePortsOf, type SettlePorts } from "../ports"
import { notGoneBack } from "../problems/money-back"
import type { Comparison } from "./comparison"
import { type Page, pagesOf } from "./pages"

const PAGE = 200

/**
 * The other direction of `comparePayments`: the captured payment of each settled row must still be in Medusa, however old it is,
 * and so must its order. Core deletes both when an admin deletes a draft order that was paid. An order that was canceled or
 * archived is still there, and so is a payment that was refunded.
 */
export async function compareSettled(comparison: Comparison): Promise<void> {
  const { module, counts, otherMerchants, container } = comparison
  const load = (page: Page) => module.reconciliation.settledRows(otherMerchants, page)
  for await (const rows of pagesOf(PAGE, load)) {
    counts.differences += await tellOfGone(settlePortsOf(container), rows)
  }
}

/**
 * Tells of payments that Medusa had taken and lost. Without its order, the money is no order's again, and a person decides.
 *
 * @returns how many there are
 */
export async function tellOfGone(
  { module, medusa }: Pick<SettlePorts, "module" | "medusa">,
  rows: TransactionRow[]
): Promise<number> {
  // Money that was taken back, or that a person took care of, does not wait for an order.
  const settled = rows.filter((row) => standingOf(row) === "settled")
  if (!settled.length) return 0
  const payments = await medusa.listPayments({
    payment_collection_id: settled.map(({ payment_collection_id }) => payment_collection_id),
  })
  const orders = await medusa.listOrders({ id: settled.flatMap(({ order_id }) => order_id ?? []) })
  let gone = 0
  for (const row of settled) {
    if (row.order_id !== null && !orders.some(({ id }) => id === row.order_id)) {
      const ofRow = { transaction_row_id: row.id, currency: paidSum(row).currency }
      const goneBack = await module.refundPayouts.goneBackOf([row.id])
      if (!isOwed(notGoneBack(paidSum(row).amount, ofRow, goneBack))) continue
      const lost = await module.transactions.recordOrderGone(row.id)
      if (lost) await module.problems.follow(lost)
      gone++
    } else if (payments.some((payment) => payment.isCaptured && namesTransaction(payment, row))) {
      await module.problems.close([causeOfGone(row.id)])
    } else {
      const { id, transaction_id: transaction } = row
      const seen = inKopecks(paidSum(row))
      const facts = { row: id, transaction, seen, found: "payment_gone" as const }
      await module.problems.report(problem("records_differ", facts), subjectOf(row))
      gone++
    }
  }
  return gone
}
