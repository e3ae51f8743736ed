import type { RemoteQueryFunction } from "@medusajs/framework/types"
import type { OrderStatus } from "@medusajs/framework/utils"

import { addAmounts, type AmountInput, compareAmounts, exactAmount } from "../../settlement/amount"
import { isOrderCanceled } from "./canceled-order"

interface Amount {
  amount: AmountInput
  raw_amount?: unknown
}

interface PaymentRecord extends Amount {
  id: string
  canceled_at: unknown
  captures?: ({ id: string } & Amount)[]
}

interface OrderRecord {
  id: string
  status: OrderStatus
  canceled_at: unknown
  summary: { pending_difference: AmountInput; raw_pending_difference?: unknown }
  transactions?: { reference_id: string | null }[]
  payment_collections: {
    id: string
    payments?: PaymentRecord[]
    payment_sessions?: PaymentSession[]
  }[]
}

export interface PaymentSession {
  status: string
  provider_id: string
  payment?: { canceled_at: unknown } | null
}

/** An order and its money, over all its collections. */
export interface FoundOrder {
  id: string
  canceled: boolean
  collections: OrderRecord["payment_collections"]
  /** Whether Medusa holds a payment for it that is not canceled. */
  isPaid: boolean
  /**
   * What is still to be paid for it when Medusa's payments count, whether or not core has booked them on the
   * order; one of them may be left out, to be judged. Decimal text, less than nothing when too much was paid.
   */
  owedWithout(paymentId: string | null): string
}

/** The order that a payment collection belongs to, or null when it is no order's. */
export async function findOrder(
  query: RemoteQueryFunction,
  paymentCollectionId: string
): Promise<FoundOrder | null> {
  const id = await findOrderId(query, paymentCollectionId)
  if (!id) {
    return null
  }
  const { data } = await query.graph({ entity: "order", fields: FIELDS, filters: { id } })
  const order = data[0] as unknown as OrderRecord | undefined
  if (!order) {
    return null
  }
  const payments = order.payment_collections
    .flatMap((collection) => collection.payments ?? [])
    .filter(({ canceled_at }) => !canceled_at)
  return {
    id: order.id,
    canceled: isOrderCanceled(order),
    collections: order.payment_collections,
    isPaid: payments.length > 0,
    owedWithout: (paymentId) =>
      payments
        .filter(({ id }) => id !== paymentId)
        .reduce(
          (owed, payment) => addAmounts(owed, `-${unbooked(order, payment)}`),
          outstanding(order)
        ),
  }
}

async function findOrderId(
  query: RemoteQueryFunction,
  paymentCollectionId: string
): Promise<string | null> {
  const { data } = await query.graph({
    entity: "order_payment_collection",
    fields: ["order_id"],
    filters: { payment_collection_id: paymentCollectionId },
  })
  return (data[0] as { order_id: string } | undefined)?.order_id ?? null
}

const FIELDS = [
  "id",
  "status",
  "canceled_at",
  "summary.*",
  "transactions.reference_id",
  "payment_collections.id",
  "payment_collections.payments.id",
  "payment_collections.payments.amount",
  "payment_collections.payments.raw_amount",
  "payment_collections.payments.canceled_at",
  "payment_collections.payments.captures.id",
  "payment_collections.payments.captures.amount",
  "payment_collections.payments.captures.raw_amount",
  "payment_collections.payment_sessions.status",
  "payment_collections.payment_sessions.provider_id",
  "payment_collections.payment_sessions.payment.canceled_at",
]

/** As the order itself has it: its total without what is booked on it. */
export function outstanding({ summary }: Pick<OrderRecord, "summary">): string {
  const { pending_difference: amount, raw_pending_difference: raw_amount } = summary
  return addAmounts(exactAmount({ amount, raw_amount }), "0")
}

/** What a payment brings to its order that the order does not show yet. */
function unbooked(order: OrderRecord, payment: PaymentRecord): string {
  const booked = (payment.captures ?? [])
    .filter(({ id }) => order.transactions?.some(({ reference_id }) => reference_id === id))
    .reduce((sum, capture) => addAmounts(sum, exactAmount(capture)), "0")
  const left = addAmounts(exactAmount(payment), `-${booked}`)
  return compareAmounts(left, "0") > 0 ? left : "0"
}
