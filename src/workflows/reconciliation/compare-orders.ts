import { isOwed } from "../../settlement/amount"
import { followOrders } from "../../transactions/follow-order"
import { settlePortsOf } from "../ports"
import { bookLate } from "../refunds/book-refund"
import { takeBackUnprovenRefunds } from "../refunds/take-back-unproven-refunds"
import { withDeadline } from "../settle/with-deadline"
import type { Comparison } from "./comparison"
import { type Page, pagesOf } from "./pages"

const PAGE = 100

/** Checks the money of every order for which a payment was taken, however old it is (see `otherMerchants`). */
export async function compareOrders({
  container,
  module,
  otherMerchants,
  counts,
  limits,
}: Comparison): Promise<void> {
  const ports = settlePortsOf(container)
  const load = (page: Page) => module.reconciliation.paidOrders(otherMerchants, page)
  for await (const orderIds of pagesOf(PAGE, load)) {
    for (const { order, due, payments } of await followOrders(ports, orderIds)) {
      if (isOwed(due.back) || isOwed(due.owed)) counts.differences++
      if (order.isCanceled && payments.some(({ held }) => isOwed(held.amount))) {
        // Deletes a refund that core booked without proof when it canceled the order, even if a person keeps the money.
        await withDeadline(limits.longestSettleMs, takeBackUnprovenRefunds(ports, order.id))
      }
      for (const { row, held } of payments) {
        if (held.unbooked.length) await withDeadline(limits.longestSettleMs, bookLate(ports, row))
      }
    }
  }
}
