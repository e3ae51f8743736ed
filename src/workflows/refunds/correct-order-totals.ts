import type {
  BigNumberInput,
  IOrderModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
import { BigNumber, MathBN, Modules } from "@medusajs/framework/utils"

import { sumOf } from "./sum-of"

interface Summary {
  id: string
  version: number
  totals: Record<string, BigNumberInput>
}

/** Of the order module, but missing in its types. */
interface SummaryMethods {
  listOrderSummaries(
    filters: { order_id: string },
    config: { order: { version: "DESC" }; take: number }
  ): Promise<Summary[]>
  updateOrderSummaries(summary: { id: string; totals: Record<string, unknown> }): Promise<unknown>
}

/**
 * Brings what an order shows as paid and refunded to what is booked on it. Core keeps these totals beside
 * the bookings and, when one is deleted, forgets to take its amount out of them.
 */
export async function correctOrderTotals(
  container: MedusaContainer,
  orderId: string
): Promise<void> {
  const orders = container.resolve<IOrderModuleService & SummaryMethods>(Modules.ORDER)
  const [summary] = await orders.listOrderSummaries(
    { order_id: orderId },
    { order: { version: "DESC" }, take: 1 }
  )
  if (!summary) {
    return
  }
  const booked = await orders.listOrderTransactions({ order_id: orderId }, { take: null })
  const paid = sumOf(booked.filter(({ amount }) => MathBN.gt(amount, 0)))
  const refunded = MathBN.abs(sumOf(booked.filter(({ amount }) => MathBN.lt(amount, 0))))
  const held = MathBN.sub(paid, refunded)
  const { totals } = summary
  const before = totals.transaction_total ?? 0
  if (MathBN.eq(totals.refunded_total ?? 0, refunded) && MathBN.eq(before, held)) {
    return
  }
  const correct = {
    paid_total: paid,
    refunded_total: refunded,
    transaction_total: held,
    pending_difference: MathBN.sub(totals.pending_difference ?? 0, MathBN.sub(held, before)),
  }
  await orders.updateOrderSummaries({
    id: summary.id,
    totals: {
      ...totals,
      // Beside each number core keeps its exact digits.
      ...Object.fromEntries(
        Object.entries(correct).flatMap(([name, value]): [string, unknown][] => {
          const exact = new BigNumber(value)
          return [
            [name, exact.numeric],
            [`raw_${name}`, exact.raw],
          ]
        })
      ),
    },
  })
}
