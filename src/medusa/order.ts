import type {
  FilterableOrderProps,
  IOrderModuleService,
  MedusaContainer,
  OrderChangeDTO,
  OrderDTO,
} from "@medusajs/framework/types"
import { Modules, OrderChangeType } from "@medusajs/framework/utils"

import { exactAmount, remainder, subtractAmounts } from "../settlement/amount"
import { findOrderId, listOrderCollections } from "./links"
import {
  listPayments,
  type OrderBooking,
  type Payment,
  type PaymentParts,
  sumOf,
  toOrderBooking,
} from "./payments"

/** An order, without its money. Amounts are decimal text. */
export interface Order {
  id: string
  displayId: number
  currency: string
  isCanceled: boolean
  /** Null while it is not canceled; 1970 when Medusa does not say when it was canceled. */
  canceledAt: Date | null
}

/** Parts of an order that are read only on request. */
export interface OrderParts {
  /** The order's own summary: its worth, and the part that its bookings leave open. */
  summary: { total: string; outstanding: string }
  transactions: OrderBooking[]
}

/** @param filters wider than core's type, which leaves out some filters that work */
export async function listOrders<Part extends keyof OrderParts = never>(
  container: MedusaContainer,
  filters: FilterableOrderProps | Record<string, unknown>,
  parts: Part[] = [],
  page: { take: number; skip: number } | null = null
): Promise<(Order & Pick<OrderParts, Part>)[]> {
  const orders = await container.resolve<IOrderModuleService>(Modules.ORDER).listOrders(filters, {
    select: ["id", "display_id", "status", "canceled_at", "currency_code"],
    relations: parts,
    order: { id: "ASC" },
    ...page,
  })
  return orders.map((order) => ({
    ...toOrder(order),
    ...(Object.fromEntries(parts.map((part) => [part, PART[part](order)])) as Pick<
      OrderParts,
      Part
    >),
  }))
}

const PART: { [Part in keyof OrderParts]: (order: OrderDTO) => OrderParts[Part] } = {
  summary: ({ summary }) => ({
    total: exactAmount({
      amount: summary?.current_order_total,
      raw_amount: summary?.raw_current_order_total,
    }),
    outstanding: exactAmount({
      amount: summary?.pending_difference,
      raw_amount: summary?.raw_pending_difference,
    }),
  }),
  transactions: ({ transactions = [] }) => transactions.map(toOrderBooking),
}

function toOrder({ id, display_id, currency_code, status, canceled_at }: OrderDTO): Order {
  // An archived order keeps `canceled_at`, while its status no longer says that it was canceled.
  const isCanceled = status === "canceled" || Boolean(canceled_at)
  return {
    id,
    displayId: display_id,
    currency: currency_code,
    isCanceled,
    canceledAt: isCanceled ? new Date(canceled_at ?? 0) : null,
  }
}

/** An order and its money, over all its collections. */
export interface OrderToPay extends Pick<Order, "id" | "isCanceled"> {
  collectionIds: string[]
  /** Whether Medusa holds an uncanceled payment for it. */
  isPaid: boolean
  /** The sum that is still to be paid for it, see `owedWithout`. */
  owed: string
  /**
   * The sum that is still to be paid when all of Medusa's payments count, booked on the order or not, except the one that is
   * being judged. Negative when too much was paid.
   */
  owedWithout(paymentId: string | null): string
}

/** The order that a payment collection belongs to; null while it belongs to a cart or to nothing. */
export async function findOrderToPay(
  container: MedusaContainer,
  paymentCollectionId: string
): Promise<OrderToPay | null> {
  const id = await findOrderId(container, paymentCollectionId)
  if (!id) {
    return null
  }
  const [[order], links] = await Promise.all([
    listOrders(container, { id }, ["summary", "transactions"]),
    listOrderCollections(container, { order_id: id }),
  ])
  if (!order) {
    return null
  }
  const collectionIds = links.map(({ payment_collection_id }) => payment_collection_id)
  // Payments are read after the order: one that is booked on it in between counts once, as not booked yet.
  const payments = (
    await listPayments(container, { payment_collection_id: collectionIds }, ["captures"])
  ).filter(({ isCanceled }) => !isCanceled)
  const owedWithout = (paymentId: string | null) =>
    payments
      .filter((payment) => payment.id !== paymentId)
      .reduce(
        (owed, payment) => subtractAmounts(owed, unbooked(order, payment)),
        order.summary.outstanding
      )
  return {
    id: order.id,
    isCanceled: order.isCanceled,
    collectionIds,
    isPaid: payments.length > 0,
    owed: owedWithout(null),
    owedWithout,
  }
}

/** The part of a payment that is not booked on its order yet. */
function unbooked(
  { transactions }: Pick<OrderParts, "transactions">,
  { amount, captures }: Payment & Pick<PaymentParts, "captures">
): string {
  const booked = captures.filter(({ id }) =>
    transactions.some(({ referenceId }) => referenceId === id)
  )
  return remainder(amount, sumOf(booked))
}

/** Whether an edit, return, exchange, claim or transfer of the order is open; core then refuses any other change of it. */
export async function isBeingChanged(
  container: MedusaContainer,
  orderId: string
): Promise<boolean> {
  return (await openChanges(container, orderId)).some(({ change_type }) => !isCredit(change_type))
}

/** A change that lowers an order's worth by what a refund paid back, and that nobody has confirmed yet. */
export interface OpenCredit {
  id: string
  /** Whether its amount is written, too; core writes that after the change. */
  hasAmount: boolean
  /** The refund that it belongs to, if we opened it; null for core's own. */
  refundId: string | null
  since: Date
}

/** The open credits of an order: a process is about to confirm them, or it has died. */
export async function listOpenCredits(
  container: MedusaContainer,
  orderId: string
): Promise<OpenCredit[]> {
  const credits = (await openChanges(container, orderId)).filter((one) => isCredit(one.change_type))
  return credits.map(({ id, actions, created_at }) => ({
    id,
    hasAmount: actions.length > 0,
    refundId: actions.find(({ reference }) => reference === REFUND_CREDIT)?.reference_id ?? null,
    since: new Date(created_at),
  }))
}

/** The reference of a credit that we opened; core's own have another one. */
export const REFUND_CREDIT = "refund"

const isCredit = (type: string | undefined) => type === OrderChangeType.CREDIT_LINE

/** The changes of an order that are not over. */
async function openChanges(container: MedusaContainer, orderId: string): Promise<OrderChangeDTO[]> {
  return await container
    .resolve<IOrderModuleService>(Modules.ORDER)
    .listOrderChanges(
      { order_id: orderId, status: ["pending", "requested"] },
      { select: ["id", "change_type", "created_at"], relations: ["actions"], take: null }
    )
}

/** The ids of orders that are not canceled and for which Medusa holds no payment. */
export async function findUnpaidOrders(
  container: MedusaContainer,
  orderIds: string[]
): Promise<string[]> {
  const [orders, links] = await Promise.all([
    listOrders(container, { id: orderIds }),
    listOrderCollections(container, { order_id: orderIds }),
  ])
  const payments = await listPayments(container, {
    payment_collection_id: links.map(({ payment_collection_id }) => payment_collection_id),
  })
  const paidInto = new Set(
    payments.filter(({ isCanceled }) => !isCanceled).map(({ collectionId }) => collectionId)
  )
  const paid = new Set(
    links
      .filter(({ payment_collection_id }) => paidInto.has(payment_collection_id))
      .map(({ order_id }) => order_id)
  )
  return orders.filter(({ id, isCanceled }) => !isCanceled && !paid.has(id)).map(({ id }) => id)
}
