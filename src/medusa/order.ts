import type { MedusaContainer, OrderDTO, OrderLineItemDTO } from "@medusajs/framework/types"
import { Modules, OrderChangeType } from "@medusajs/framework/utils"

import { addAmounts, exactAmount, remainder, subtractAmounts, sumOf } from "../values/amount"
import {
  type Booking,
  findCartIds,
  findOrderId,
  listOrderCollections,
  listPayments,
  type Payment,
  readGraph,
  toOrderBooking,
} from "./reader"

export async function listOrders(container: MedusaContainer, of: { id: string | string[] }) {
  // Core sorts this array, and adds to it.
  const fields = { select: [...ORDER_FIELDS], order: { id: "ASC" as const } }
  return (await container.resolve(Modules.ORDER).listOrders(of, fields)).map(toOrder)
}

const ORDER_FIELDS = ["id", "display_id", "status", "canceled_at", "currency_code"]

function toOrder({ id, display_id, currency_code, status, canceled_at }: OrderDTO) {
  return {
    id,
    displayId: display_id,
    currency: currency_code,
    // An archived order keeps `canceled_at`, while its status no longer says that it was canceled.
    isCanceled: status === "canceled" || Boolean(canceled_at),
  }
}

/** Whether an edit, return, exchange, claim or transfer of the order is open; core then refuses any other change of it. */
export async function isBeingChanged(container: MedusaContainer, orderId: string) {
  return (await openChanges(container, orderId)).some(({ change_type }) => !isCredit(change_type))
}

/** The open changes that lower an order's worth by what a refund paid back: a process is about to confirm them, or it has died. */
export async function listOpenCredits(container: MedusaContainer, orderId: string) {
  const credits = (await openChanges(container, orderId)).filter((one) => isCredit(one.change_type))
  return credits.map(({ id, actions, created_at }) => ({
    id,
    /** Whether its amount is written, too; core writes that after the change. */
    hasAmount: actions.length > 0,
    /** The refund that it belongs to, if we opened it; null for core's own. */
    refundId: actions.find(({ reference }) => reference === REFUND_CREDIT)?.reference_id ?? null,
    since: new Date(created_at),
  }))
}

/** The reference of a credit that we opened; core's own have another one. */
export const REFUND_CREDIT = "refund"

const isCredit = (type: string | undefined) => type === OrderChangeType.CREDIT_LINE

async function openChanges(container: MedusaContainer, order_id: string) {
  const select = ["id", "change_type", "created_at"]
  const of = { order_id, status: ["pending", "requested"] }
  const fields = { select, relations: ["actions"], take: null }
  return await container.resolve(Modules.ORDER).listOrderChanges(of, fields)
}

/** An order with the cart to which core has linked it. */
export type CompletedOrder = Awaited<ReturnType<typeof listCompletedOrders>>[number]

const ULID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const ULID_TIME_DIGITS = 10

/** Orders with this metadata that were made since then. There are several when somebody has copied one. */
export async function listCompletedOrders(
  container: MedusaContainer,
  metadata: Record<string, string>,
  madeSince: Date
) {
  type Order = { id: string; display_id: number; canceled_at: unknown }
  const orders = await readGraph<Order>(container, {
    entity: "order",
    fields: ["id", "display_id", "canceled_at"],
    filters: { id: { $gte: orderIdAt(madeSince.getTime()) }, metadata },
  })
  const ids = orders.map(({ id }) => id)
  const cartIds = await findCartIds(container, ids)
  return orders.map((order) => ({ ...order, cartId: cartIds.get(order.id) ?? null }))
}

/** The lowest id that an order of this moment can have (a ULID begins with its time), so that an index finds the latest orders. */
function orderIdAt(ms: number): string {
  let digits = ""
  for (let rest = ms; digits.length < ULID_TIME_DIGITS; rest = Math.floor(rest / 32)) {
    digits = `${ULID_DIGITS[rest % 32] ?? ""}${digits}`
  }
  return `order_${digits}`
}

interface OrderedItem extends Pick<OrderLineItemDTO, "id" | "title" | "product_title"> {
  variant?: { manage_inventory: boolean } | null
}

/** The names of its items whose stock Medusa keeps and has not reserved. */
export async function findUnreserved(container: MedusaContainer, orderId: string) {
  const [order] = await readGraph<{ items: OrderedItem[] }>(container, {
    entity: "order",
    fields: ["items.id", "items.title", "items.product_title", "items.variant.manage_inventory"],
    filters: { id: orderId },
  })
  const items = order?.items.filter(({ variant }) => variant?.manage_inventory) ?? []
  const of = { line_item_id: items.map(({ id }) => id) }
  const fields = { select: ["line_item_id"] }
  const reserved = await container.resolve(Modules.INVENTORY).listReservationItems(of, fields)
  return items
    .filter(({ id }) => reserved.every((one) => one.line_item_id !== id))
    .map(({ product_title, title }) => product_title ?? title)
}

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

function pendingDifference({ summary }: OrderDTO): string {
  const { pending_difference: amount, raw_pending_difference: raw_amount } = summary ?? {}
  return exactAmount({ amount, raw_amount })
}

export async function listOrderMoney(container: MedusaContainer, orderIds: string[]) {
  // With the total, core computes the summary as the dashboard shows it. The stored one leaves out requested returns.
  const fields = { select: [...ORDER_FIELDS, "total"], relations: ["summary", "transactions"] }
  const [orders, links] = await Promise.all([
    container.resolve(Modules.ORDER).listOrders({ id: orderIds }, fields),
    listOrderCollections(container, { order_id: orderIds }),
  ])
  // Payments are read after the order: one that is booked on it in between counts once, as not booked yet.
  const payments = await listPayments(container, {
    payment_collection_id: links.map(({ payment_collection_id }) => payment_collection_id),
  })
  return orders.map((order) => {
    const collectionIds = links
      .filter(({ order_id }) => order_id === order.id)
      .map(({ payment_collection_id }) => payment_collection_id)
    const held = payments.filter(
      ({ isCanceled, collectionId }) => !isCanceled && collectionIds.includes(collectionId)
    )
    return { ...toOrder(order), collectionIds, payments: held, ...moneyOf(order, held) }
  })
}

function moneyOf(order: OrderDTO, payments: Payment[]) {
  const { transactions = [], credit_lines = [] } = order
  const bookings = transactions.map(toOrderBooking)
  const isBooked = ({ id }: Booking) => bookings.some(({ referenceId }) => referenceId === id)
  const unbooked = (isCaptured: boolean) =>
    sumOf(
      payments
        .filter((payment) => payment.isCaptured === isCaptured)
        .map(({ amount, captures, refunds }) => {
          const left = remainder(amount, sumOf(captures.filter(isBooked)))
          return { amount: remainder(left, sumOf(refunds.filter((one) => !isBooked(one)))) }
        })
    )
  const captured = unbooked(true)
  const promised = unbooked(false)
  const outstanding = subtractAmounts(pendingDifference(order), captured)
  const paid = addAmounts(sumOf(bookings), captured)
  const paidAt = transactions
    .filter(({ amount }) => Number(amount) > 0)
    .map(({ created_at }) => Number(new Date(created_at)))
  return {
    /** Its worth after discounts and credits, without the items whose return was requested. */
    worth: addAmounts(outstanding, paid),
    bookedIds: bookings.map(({ referenceId }) => referenceId),
    /** The sum that was paid for it in any way and was not given back. */
    paid,
    /** The outstanding sum as the dashboard shows it; negative when too much was paid. */
    outstanding,
    /** The sum of payments that are authorized and not captured, for example cash on delivery. */
    promised,
    /** The sum that somebody may still be asked to pay. */
    owed: subtractAmounts(outstanding, promised),
    paidAt: paidAt.length ? new Date(Math.max(...paidAt)) : null,
    /** Nothing was ever paid, promised or credited for it. */
    isUntouched: !bookings.length && !payments.length && !credit_lines.length,
  }
}
