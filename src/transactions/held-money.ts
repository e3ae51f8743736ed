import type { Order } from "../medusa/order"
import { namesTransaction, sumOf } from "../medusa/payments"
import type { TransactionRow } from "../modules/payment-service"
import { compareAmounts, subtractAmounts } from "../settlement/amount"
import type { Ports } from "./ports"
import { withoutRefused } from "./refund-requests"

/** The money that Medusa holds of a transaction's payment, and the order that it is for. */
export interface HeldMoney {
  /** Captures less refunds, exactly; decimal text. */
  amount: string
  order: Pick<Order, "id" | "canceledAt"> | null
}

/**
 * Sums up what Medusa holds. Core writes a refund down before it asks the provider for it, so refunds count
 * only as far as proofs cover them.
 */
export async function findHeldMoney(ports: Ports, row: TransactionRow): Promise<HeldMoney> {
  const { payment_collection_id } = row
  const { module } = ports
  const payments = await ports.medusa.listPayments({ payment_collection_id }, [
    "captures",
    "refunds",
  ])
  const own = payments.filter((payment) => namesTransaction(payment, row))
  const captured = sumOf(own.flatMap(({ captures }) => captures))
  const refunded = sumOf(
    withoutRefused(
      own.flatMap(({ refunds }) => refunds),
      row
    )
  )
  const proven = sumOf(
    await module.listRefundProofs({ transaction_row_id: row.id }, { take: null })
  )
  const gone = compareAmounts(refunded, proven) > 0 ? proven : refunded
  const orderId = await ports.medusa.findOrderId(payment_collection_id)
  const [order] = orderId ? await ports.medusa.listOrders({ id: orderId }) : []
  return { amount: subtractAmounts(captured, gone), order: order ?? null }
}
