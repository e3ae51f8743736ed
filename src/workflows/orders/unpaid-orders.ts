import type { MedusaContainer } from "@medusajs/framework/types"

import { listOrderCollections } from "../../medusa/links"
import { listOrderMoney, type OrderMoney } from "../../medusa/order-money"
import {
  paymentServiceModule,
  type TransactionRow,
  type PaymentServiceModuleService,
} from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { isOwed, toWireAmount } from "../../settlement/amount"
import { problem } from "../../settlement/problems"
import type { Refusal } from "../../settlement/problems/refusals"
import type { Ports } from "../../transactions/ports"

/**
 * Reports an order whose payment did not come and that is not canceled automatically.
 *
 * @param why Medusa's reason for not canceling it, because it was shipped for example, or the sum that is still owed
 */
export async function reportUnpaidOrder(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  orderId: string,
  why: { refusal: Refusal } | { owed: string }
): Promise<void> {
  const facts =
    "owed" in why
      ? { refusal: null, owed: { amount: toWireAmount(why.owed), currency: row.currency } }
      : why
  await module.problems.report(
    problem("order_unpaid", { order: orderId, ...facts }),
    { ...subjectOf(row), order_id: orderId },
    row.opened_at
  )
}

/** How far back unpaid orders are still reported. */
const ASKED_FOR_MS = 35 * 24 * 60 * 60_000
const PAGE = 100

/** Reports orders that were placed before their payment, are still unpaid, and are not canceled automatically. */
export async function reportForgottenOrders(container: MedusaContainer): Promise<void> {
  const module = paymentServiceModule(container)
  const rows = await module.transactions.findUnwatchedDeferred(
    new Date(module.clock.now().getTime() - ASKED_FOR_MS)
  )
  const byCollection = new Map(rows.map((row) => [row.payment_collection_id, row]))
  const collections = [...byCollection.keys()]
  for (let from = 0; from < collections.length; from += PAGE) {
    const links = await listOrderCollections(container, {
      payment_collection_id: collections.slice(from, from + PAGE),
    })
    const orders = await listOrderMoney(
      container,
      links.map(({ order_id }) => order_id)
    )
    for (const { payment_collection_id, order_id } of links) {
      const row = byCollection.get(payment_collection_id)
      const order = orders.find(({ id }) => id === order_id)
      if (row && order && isUnpaid(order)) await reportUnpaidOrder(module, row, order_id, order)
    }
  }
}

/** Closes the problems of orders that were reported as unpaid and are now paid or canceled in any way. */
export async function closeUnpaidOrders({ module, medusa }: Ports): Promise<void> {
  const problems = await module.listProblems(
    { kind: "order_unpaid", closed_at: null },
    { take: null }
  )
  if (!problems.length) return
  const orders = await medusa.listOrderMoney(problems.map(({ order_id }) => order_id ?? ""))
  const over = problems.filter(
    ({ order_id }) => !orders.some((order) => order.id === order_id && isUnpaid(order))
  )
  await module.problems.close(over.map(({ cause }) => cause))
}

function isUnpaid({ isCanceled, owed }: OrderMoney): boolean {
  return !isCanceled && isOwed(owed)
}
