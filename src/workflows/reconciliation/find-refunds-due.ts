import type { RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

import { compareAmounts } from "../../settlement/amount"
import { followRefundDueOf } from "../refunds/follow-refund-due"
import { takeBackUnprovenRefundsWorkflow } from "../refunds/take-back-unproven-refunds"
import { within } from "../settle/within"
import type { Comparison } from "./comparison"

const PAGE = 50

interface CanceledOrder {
  id: string
  payment_collections?: ({ payments?: (OrderPayment | null)[] } | null)[]
}
interface OrderPayment {
  provider_id: string
  data: Record<string, unknown> | null
}

/** Orders that were canceled in the span and still hold money of ours: it has to go back. */
export async function findRefundsDue(comparison: Comparison): Promise<void> {
  const { container, module, place, span } = comparison
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const providers = await module.reconciliation.providersOf(place)
  for (let skip = 0; ; skip += PAGE) {
    const { data } = await query.graph({
      entity: "order",
      fields: [
        "id",
        "payment_collections.payments.provider_id",
        "payment_collections.payments.data",
      ],
      // Whatever its status is by now: a canceled order can be archived.
      filters: { canceled_at: { $gte: span.from.toISOString() } } as object,
      pagination: { take: PAGE, skip, order: { id: "ASC" } },
    })
    const orders = data as unknown as CanceledOrder[]
    for (const order of orders) {
      const payments = (order.payment_collections ?? []).flatMap((one) => one?.payments ?? [])
      for (const payment of payments) {
        if (payment && providers.includes(payment.provider_id)) {
          await compareHeld(comparison, order, payment)
        }
      }
    }
    if (orders.length < PAGE) {
      return
    }
  }
}

async function compareHeld(
  { container, module, place, counts, limits }: Comparison,
  order: CanceledOrder,
  payment: OrderPayment
): Promise<void> {
  const id = payment.data?.transaction_id
  const row = typeof id === "string" ? await module.findByTransactionId(id) : null
  if (!row || row.handled_at || row.merchant_id.toLowerCase() !== place.merchantId.toLowerCase()) {
    return
  }
  const { due, held } = await followRefundDueOf(container, row.id)
  if (due !== "0") {
    counts.differences++
  }
  if (compareAmounts(held.amount, 0) > 0) {
    // What core booked as refunded when it canceled the order, if nobody has taken it back yet, whatever a
    // person has closed.
    await within(
      limits.longestSettleMs,
      takeBackUnprovenRefundsWorkflow(container).run({ input: { order_id: order.id } })
    )
  }
}
