import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, type OrderStatus } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { isOrderCanceled } from "../../modules/payment-service/canceled-order"
import { subjectOf } from "../../modules/payment-service/problems"
import { problem } from "../../settlement/problems"
import { medusaRefusal } from "../../settlement/problems/refusals"

/**
 * An order whose payment did not come is a person's business when nothing cancels it by itself.
 *
 * @param reason why Medusa refused to cancel it, because it was sent already for example
 */
export async function reportUnpaidOrder(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  orderId: string,
  reason: string | null
): Promise<void> {
  const refusal = reason === null ? null : medusaRefusal(reason)
  await module.problems.report(
    problem("order_unpaid", { order: orderId, refusal }),
    { ...subjectOf(row), order_id: orderId },
    row.opened_at
  )
}

/** What nobody looks at any more by themselves is asked about for this long. */
const ASKED_FOR_MS = 35 * 24 * 60 * 60_000
const PAGE = 100

/** Orders that were placed before their payment, are not paid in any way, and that nothing will cancel. */
export async function reportForgottenOrders(container: MedusaContainer): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const rows = await module.transactions.findForgottenPromises(
    new Date(module.clock.now().getTime() - ASKED_FOR_MS)
  )
  const byCollection = new Map(rows.map((row) => [row.payment_collection_id, row]))
  const collections = [...byCollection.keys()]
  for (let from = 0; from < collections.length; from += PAGE) {
    const { data } = await query.graph({
      entity: "order_payment_collection",
      fields: ["payment_collection_id", ...ORDER_FIELDS.map((field) => `order.${field}`)],
      filters: { payment_collection_id: collections.slice(from, from + PAGE) },
    })
    for (const { payment_collection_id, order } of data as unknown as OrderOfCollection[]) {
      const row = byCollection.get(payment_collection_id)
      if (row && order && isUnpaid(order)) {
        await reportUnpaidOrder(module, row, order.id, null)
      }
    }
  }
}

const ORDER_FIELDS = ["id", "status", "canceled_at", "payment_collections.payments.canceled_at"]

interface OrderOfCollection {
  payment_collection_id: string
  order?: OrderRecord
}

interface OrderRecord {
  id: string
  status: OrderStatus
  canceled_at: unknown
  payment_collections: { payments?: { canceled_at: unknown }[] }[]
}

/** Closes the problems of orders that are paid or canceled by now, by whomever and in whatever way. */
export async function closeUnpaidOrders(container: MedusaContainer): Promise<void> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const problems = await module.listProblems(
    { kind: "order_unpaid", closed_at: null },
    { take: null }
  )
  if (!problems.length) {
    return
  }
  const { data } = await container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "order",
    fields: ORDER_FIELDS,
    filters: { id: problems.map(({ order_id }) => order_id ?? "") },
  })
  const unpaid = (data as unknown as OrderRecord[]).filter(isUnpaid).map(({ id }) => id)
  const over = problems.filter(({ order_id }) => !unpaid.includes(order_id ?? ""))
  await module.problems.close(over.map(({ cause }) => cause))
}

function isUnpaid(order: OrderRecord): boolean {
  const { payment_collections: collections } = order
  return (
    !isOrderCanceled(order) &&
    !collections.some(({ payments = [] }) => payments.some(({ canceled_at }) => !canceled_at))
  )
}
