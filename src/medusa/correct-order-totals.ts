import type {
  BigNumberInput,
  IOrderModuleService,
  MedusaContainer,
} from "@medusajs/framework/types"
import { BigNumber, Modules } from "@medusajs/framework/utils"

import { compareAmounts, exactAmount, subtractAmounts, sumOf } from "../values/amount"
import { listBookings } from "./payments"

interface Summary {
  id: string
  version: number
  totals: Record<string, BigNumberInput>
}

/** Methods of the order module that its types leave out. */
interface SummaryMethods {
  listOrderSummaries(
    filters: { order_id: string },
    config: { order: { version: "DESC" }; take: number }
  ): Promise<Summary[]>
  updateOrderSummaries(summary: { id: string; totals: Record<string, unknown> }): Promise<unknown>
}

/**
 * Corrects the totals that an order shows as paid and refunded, by its bookings. Core keeps these totals beside the bookings and,
 * when a booking is deleted, leaves its amount in them.
 */
export async function correctOrderTotals(container: MedusaContainer, orderId: string) {
  const orders = container.resolve<IOrderModuleService & SummaryMethods>(Modules.ORDER)
  const [summary] = await orders.listOrderSummaries(
    { order_id: orderId },
    { order: { version: "DESC" }, take: 1 }
  )
  if (!summary) return
  const bookings = await listBookings(container, orderId)
  const held = sumOf(bookings)
  const paid = sumOf(bookings.filter(({ amount }) => compareAmounts(amount, "0") > 0))
  const refunded = subtractAmounts(paid, held)
  const { totals } = summary
  const shown = (name: string) => exactAmount({ amount: totals[name] ?? 0 })
  const before = shown("transaction_total")
  if (
    compareAmounts(shown("refunded_total"), refunded) === 0 &&
    compareAmounts(before, held) === 0
  ) {
    return
  }
  const correct = {
    paid_total: paid,
    refunded_total: refunded,
    transaction_total: held,
    pending_difference: subtractAmounts(shown("pending_difference"), subtractAmounts(held, before)),
  }
  await orders.updateOrderSummaries({
    id: summary.id,
    totals: {
      ...totals,
      // Core keeps the exact digits beside each number.
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
