import { namesTransaction } from "../medusa/reader"
import type { TransactionRow } from "../modules/payment-service"
import { takeBackUnprovenRefunds } from "../payments/book-refund"
import { type SettlePorts, settlePortsOf } from "../payments/core"
import { reportBalances } from "../payments/follow-order"
import { withDeadline } from "../values/deadline"
import { LONGEST_CHANGE_MS } from "../payments/rules/timing"
import { paidSum, standingOf } from "../payments/rules/transaction"
import { notGoneBack } from "../problems/money-back"
import { causeOfGone, problem } from "../problems/rules/problems"
import { subjectOf } from "../problems/statements/problems"
import { inKopecks, isOwed } from "../values/amount"
import { type Comparison, pagesOf } from "./find-differences"
import type { Page } from "./statements/runs"

const PAGE = 100

/** Asks Medusa about all payments that it has taken, however old and of any merchant: whether they are still there, and what their orders are owed. */
export async function followSettled(comparison: Comparison): Promise<void> {
  const { module, counts } = comparison
  const ports = settlePortsOf(comparison.container)
  const load = (page: Page) => module.reconciliation.settledRows(page)
  for await (const rows of pagesOf(PAGE, load)) {
    counts.differences += await tellOfGone(ports, rows)
    const orderIds = [...new Set(rows.flatMap(({ order_id }) => order_id ?? []))]
    for (const { order, due, payments } of await reportBalances(ports, orderIds)) {
      if (isOwed(due.back) || isOwed(due.owed)) counts.differences++
      if (order.isCanceled && payments.some(({ held }) => isOwed(held.amount))) {
        // Deletes a refund that core booked without proof when it canceled the order, even if a person keeps the money.
        await withDeadline(LONGEST_CHANGE_MS, takeBackUnprovenRefunds(ports, order.id))
      }
      await module.ledger.setToBook(payments.flatMap(({ held }) => held.unbooked))
    }
  }
}

/**
 * Tells of payments that Medusa had taken and lost, and counts them: core deletes payment and order when an admin deletes a draft
 * order that was paid. Without its order, the money is no order's again, and a person decides.
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
      const ledger = await module.ledger.of([row.id])
      if (!isOwed(notGoneBack(paidSum(row).amount, ofRow, ledger))) continue
      const lost = await module.transactions.recordOrderGone(row.id)
      if (lost) await module.problems.openOrCloseFor(lost)
      gone++
    } else if (payments.some((payment) => payment.isCaptured && namesTransaction(payment, row))) {
      await module.problems.close([causeOfGone(row.id)])
    } else {
      const seen = { row: row.id, transaction: row.transaction_id, seen: inKopecks(paidSum(row)) }
      const found = problem("payment_not_there", { ...seen, found: "payment_gone" })
      await module.problems.report(found, subjectOf(row))
      gone++
    }
  }
  return gone
}
