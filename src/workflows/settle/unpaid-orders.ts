import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, OrderStatus } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { QUIET_ATTEMPTS, unpaidOrder } from "../../settlement/problem"

/** An order that Medusa refused to cancel, for example because it was sent already, is a person's business. */
export async function reportUnpaidOrder(
  module: PaymentServiceModuleService,
  row: TransactionRow,
  orderId: string,
  reason: string
): Promise<void> {
  if (row.apply_attempts >= QUIET_ATTEMPTS) {
    const subject = { ...subjectOf(row), order_id: orderId }
    // Closed by a person, it is open again only for a payment that was begun after that.
    await module.problems.openUnlessClosedSince(
      unpaidOrder(orderId, reason),
      subject,
      row.opened_at
    )
  }
}

interface OrderRecord {
  id: string
  status: OrderStatus
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
    fields: ["id", "status", "payment_collections.payments.canceled_at"],
    filters: { id: problems.map(({ order_id }) => order_id ?? "") },
  })
  const unpaid = (data as unknown as OrderRecord[]).filter(isUnpaid).map(({ id }) => id)
  for (const { cause } of problems.filter(({ order_id }) => !unpaid.includes(order_id ?? ""))) {
    await module.problems.closeCause(cause, "settled")
  }
}

function isUnpaid({ status, payment_collections: collections }: OrderRecord): boolean {
  return (
    status !== OrderStatus.CANCELED &&
    !collections.some(({ payments = [] }) => payments.some(({ canceled_at }) => !canceled_at))
  )
}
