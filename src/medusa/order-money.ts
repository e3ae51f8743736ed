import type { MedusaContainer, OrderDTO } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { addAmounts, exactAmount, remainder, subtractAmounts, sumOf } from "../settlement/amount"
import { findOrderId, listOrderCollections } from "./links"
import { ORDER_FIELDS, toOrder } from "./order"
import { type Booking, listPayments, toOrderBooking } from "./payments"

/**
 * An order's money as core and its dashboard read it, over all its payment collections. Money that Medusa has captured, not given
 * back and not booked on the order yet counts as booked. Amounts are decimal text.
 */
export type OrderMoney = Awaited<ReturnType<typeof listOrderMoney>>[number]

/** The order that a payment collection belongs to; null while it belongs to a cart or to nothing. */
export async function findOrderMoney(container: MedusaContainer, paymentCollectionId: string) {
  const id = await findOrderId(container, paymentCollectionId)
  const [order] = id ? await listOrderMoney(container, [id]) : []
  return order ?? null
}

/** The sum that the order of a cart asks for while core makes it, before a payment; null when there is no order yet. */
export async function findSumOfNewOrder(container: MedusaContainer, paymentCollectionId: string) {
  const id = await findOrderId(container, paymentCollectionId)
  // The stored summary is enough: nothing of a new order was returned yet.
  const of = { select: ["id", "currency_code"], relations: ["summary"] }
  const [order] = id ? await container.resolve(Modules.ORDER).listOrders({ id }, of) : []
  return order ? { amount: pendingDifference(order), currency: order.currency_code } : null
}

async function listOrdersWithSummary(container: MedusaContainer, ids: string[]) {
  return await container.resolve(Modules.ORDER).listOrders(
    { id: ids },
    {
      // With the total, core computes the summary as the dashboard shows it. The stored one leaves out requested returns.
      select: [...ORDER_FIELDS, "total"],
      relations: ["summary", "transactions"],
    }
  )
}

function pendingDifference({ summary }: OrderDTO): string {
  return exactAmount({
    amount: summary?.pending_difference,
    raw_amount: summary?.raw_pending_difference,
  })
}

export async function listOrderMoney(container: MedusaContainer, orderIds: string[]) {
  const [orders, links] = await Promise.all([
    listOrdersWithSummary(container, orderIds),
    listOrderCollections(container, { order_id: orderIds }),
  ])
  // Payments are read after the order: one that is booked on it in between counts once, as not booked yet.
  const payments = await listPayments(
    container,
    { payment_collection_id: links.map(({ payment_collection_id }) => payment_collection_id) },
    ["captures", "refunds"]
  )
  return orders.map((order) => {
    const collectionIds = links
      .filter(({ order_id }) => order_id === order.id)
      .map(({ payment_collection_id }) => payment_collection_id)
    const held = payments.filter(
      ({ isCanceled, collectionId }) => !isCanceled && collectionIds.includes(collectionId)
    )
    return {
      ...toOrder(order),
      collectionIds,
      /** Medusa's payments for it that are not canceled. */
      payments: held,
      ...moneyOf(order, held),
    }
  })
}

function moneyOf(
  order: OrderDTO,
  payments: Awaited<ReturnType<typeof listPayments<"captures" | "refunds">>>
) {
  const { transactions = [], credit_lines = [] } = order
  const bookings = transactions.map(toOrderBooking)
  const unbooked = (isCaptured: boolean) =>
    sumOf(
      payments
        .filter((payment) => payment.isCaptured === isCaptured)
        .map(({ amount, captures, refunds }) => {
          const isBooked = ({ id }: Booking) =>
            bookings.some(({ referenceId }) => referenceId === id)
          const isLeft = (refund: Booking) => !isBooked(refund)
          const left = remainder(amount, sumOf(captures.filter(isBooked)))
          return { amount: remainder(left, sumOf(refunds.filter(isLeft))) }
        })
    )
  const outstanding = subtractAmounts(pendingDifference(order), unbooked(true))
  const paid = addAmounts(sumOf(bookings), unbooked(true))
  const promised = unbooked(false)
  const paidAt = transactions
    .filter(({ amount }) => Number(amount) > 0)
    .map(({ created_at }) => Number(new Date(created_at)))
  return {
    /** Its worth after discounts and credits, without the items whose return was requested. */
    worth: addAmounts(outstanding, paid),
    /** The ids of captures, refunds and others that are booked on it. */
    bookedIds: bookings.map(({ referenceId }) => referenceId),
    /** The sum that was paid for it in any way and was not given back. */
    paid,
    /** The outstanding sum as the dashboard shows it: still to be paid, or negative when too much was paid. */
    outstanding,
    /** The sum of payments that are authorized and not captured, for example cash on delivery. */
    promised,
    /** The sum that somebody may still be asked to pay: outstanding and not promised. */
    owed: subtractAmounts(outstanding, promised),
    /** When money for it was last booked. */
    paidAt: paidAt.length ? new Date(Math.max(...paidAt)) : null,
    /** Nothing was ever paid, promised or credited for it. */
    isUntouched: !bookings.length && !payments.length && !credit_lines.length,
  }
}
