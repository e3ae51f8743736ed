import type { RemoteQueryFunction } from "@medusajs/framework/types"
import type { OrderStatus } from "@medusajs/framework/utils"

import { addAmounts, compareAmounts, exactAmount, toDecimalText } from "../../settlement/amount"
import { isOrderCanceled } from "./canceled-order"
import type PaymentServiceModuleService from "./service"
import type { TransactionRow } from "./service"

/** What Medusa holds of a transaction's payment, and the order that it is for. */
export interface HeldMoney {
  /** Captures less refunds, exactly; decimal text. */
  amount: string
  order: { id: string; canceledAt: Date | null } | null
}

interface Booking {
  amount: unknown
  raw_amount?: unknown
}
interface HeldPayment {
  provider_id: string
  data: Record<string, unknown> | null
  captures?: (Booking | null)[]
  refunds?: (Booking | null)[]
}
interface HeldCollection {
  payments?: (HeldPayment | null)[]
  order?: { id: string; status: OrderStatus; canceled_at: Date | string | null } | null
}

/**
 * What Medusa holds. Core writes a refund down before it asks for it, so only what is proven counts as
 * refunded.
 */
export async function findHeldMoney(
  module: PaymentServiceModuleService,
  query: RemoteQueryFunction,
  row: Pick<TransactionRow, "id" | "transaction_id" | "payment_collection_id" | "provider_id">
): Promise<HeldMoney> {
  const { data } = await query.graph({
    entity: "payment_collection",
    fields: [
      "order.id",
      "order.status",
      "order.canceled_at",
      "payments.provider_id",
      "payments.data",
      "payments.captures.amount",
      "payments.captures.raw_amount",
      "payments.refunds.amount",
      "payments.refunds.raw_amount",
    ],
    filters: { id: row.payment_collection_id },
  })
  const [collection] = data as unknown as HeldCollection[]
  // What another provider's payment holds as its data, a browser may have written.
  const own = (collection?.payments ?? []).filter(
    (payment) =>
      payment?.data?.transaction_id === row.transaction_id &&
      payment.provider_id === row.provider_id
  )
  const captured = sumOf(own.flatMap((payment) => payment?.captures ?? []))
  const refunded = sumOf(own.flatMap((payment) => payment?.refunds ?? []))
  const proven = sumOf(
    await module.listRefundProofs({ transaction_row_id: row.id }, { take: null })
  )
  const gone = compareAmounts(refunded, proven) > 0 ? proven : refunded
  const order = collection?.order
  return {
    amount: addAmounts(captured, `-${gone}`),
    order: order
      ? {
          id: order.id,
          canceledAt: !isOrderCanceled(order)
            ? null
            : order.canceled_at
              ? new Date(order.canceled_at)
              : new Date(0),
        }
      : null,
  }
}

function sumOf(bookings: (Booking | null)[]): string {
  return bookings.reduce<string>(
    (sum, booking) => (booking ? addAmounts(sum, toDecimalText(exactAmount(booking))) : sum),
    "0"
  )
}
