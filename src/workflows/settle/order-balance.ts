import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, type OrderStatus } from "@medusajs/framework/utils"

import {
  PAYMENT_SERVICE_MODULE,
  type PaymentServiceModuleService,
  type TransactionRow,
} from "../../modules/payment-service"
import { isOrderCanceled } from "../../modules/payment-service/canceled-order"
import { outstanding } from "../../modules/payment-service/find-order"
import { subjectOf } from "../../modules/payment-service/problems"
import { addAmounts, type AmountInput } from "../../settlement/amount"
import { causeOfBalance } from "../../settlement/cause"
import { balanceProblem } from "../../settlement/order-balance"
import type { ProblemKind } from "../../settlement/problems"

interface OrderRecord {
  id: string
  display_id: number
  status: OrderStatus
  canceled_at: unknown
  currency_code: string
  summary: {
    pending_difference: AmountInput
    raw_pending_difference?: unknown
    current_order_total: AmountInput
  }
  payment_collections?: { id: string; payments?: Payment[] }[]
}

interface Payment {
  provider_id: string
  data: { transaction_id?: unknown } | null
  captured_at: unknown
  canceled_at: unknown
}

export interface FollowedOrder {
  id: string
  canceled: boolean
  differs: ProblemKind | null
}

/**
 * Opens or closes the problem of each order whose outstanding sum is another one than a person accepted: right
 * after each capture, and once a day for every order that a payment of ours was taken for. What is left of a
 * canceled order is a refund, which is told of by itself.
 *
 * @returns the orders that are there, and the kind of their problem, if there is one
 */
export async function followOrderBalances(
  container: MedusaContainer,
  orderIds: string[]
): Promise<FollowedOrder[]> {
  const module = container.resolve<PaymentServiceModuleService>(PAYMENT_SERVICE_MODULE)
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "order",
    fields: [
      "id",
      "display_id",
      "status",
      "canceled_at",
      "currency_code",
      "summary.*",
      "payment_collections.id",
      "payment_collections.payments.provider_id",
      "payment_collections.payments.data",
      "payment_collections.payments.captured_at",
      "payment_collections.payments.canceled_at",
    ],
    filters: { id: orderIds },
  })
  const orders = data as unknown as OrderRecord[]
  const rows = await module.listTransactions(
    {
      payment_collection_id: orders.flatMap(({ payment_collections }) =>
        idsOf(payment_collections)
      ),
      state: "paid",
      handled_at: null,
    },
    { take: null, order: { paid_at: "ASC" } }
  )
  const settled: string[] = []
  const followed: FollowedOrder[] = []
  for (const order of orders) {
    const canceled = isOrderCanceled(order)
    const ours = rows.filter((row) => isCapturedFor(order, row))
    const problem = canceled ? null : balanceProblem(balanceOf(order, ours))
    const last = ours.at(-1)
    if (problem) {
      await module.problems.report(problem.found, {
        ...(last ? subjectOf(last) : {}),
        order_id: order.id,
        amount: problem.amount,
        currency: order.currency_code.toUpperCase(),
      })
    } else {
      settled.push(causeOfBalance(order.id))
    }
    followed.push({ id: order.id, canceled, differs: problem?.found.kind ?? null })
  }
  await module.problems.close(settled)
  return followed
}

function balanceOf(order: OrderRecord, ours: TransactionRow[]) {
  return {
    name: `#${order.display_id}`,
    orderId: order.id,
    currency: order.currency_code,
    total: order.summary.current_order_total,
    outstanding: outstanding(order),
    accepted: ours.reduce(
      (sum, { amount, accepted_amount }) =>
        accepted_amount === null ? sum : addAmounts(addAmounts(sum, amount), `-${accepted_amount}`),
      "0"
    ),
  }
}

/** A sum that was accepted counts once Medusa has taken it: until then, or if it never does, nothing of it is there. */
function isCapturedFor({ payment_collections = [] }: OrderRecord, row: TransactionRow): boolean {
  return payment_collections
    .filter(({ id }) => id === row.payment_collection_id)
    .flatMap(({ payments = [] }) => payments)
    .some(
      ({ provider_id, data, captured_at, canceled_at }) =>
        provider_id === row.provider_id &&
        data?.transaction_id === row.transaction_id &&
        Boolean(captured_at) &&
        !canceled_at
    )
}

function idsOf(collections: { id: string }[] = []): string[] {
  return collections.map(({ id }) => id)
}
