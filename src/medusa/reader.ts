import type {
  FilterablePaymentProps,
  MedusaContainer,
  OrderDTO,
  OrderLineItemDTO,
  OrderTransactionDTO,
  PaymentDTO,
  PaymentSessionDTO,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { isClosedSession } from "../payments/rules/decide"
import { providerIdOf } from "../payments/rules/transaction"
import { refusedPayment } from "../refusals/refused"
import {
  addAmounts,
  type AmountInput,
  exactAmount,
  remainder,
  subtractAmounts,
  sumOf,
  toDecimalText,
} from "../values/amount"
import { findBuyer } from "./buyer"
import { readGraph } from "./search"

export function medusaReader(container: MedusaContainer) {
  return {
    findSession: findSession.bind(null, container),
    findSessionSubject: findSessionSubject.bind(null, container),
    listSessions: listSessions.bind(null, container),
    findCart: findCart.bind(null, container),
    listCarts: listCarts.bind(null, container),
    findOrderId: findOrderId.bind(null, container),
    findOrderAndCartId: findOrderAndCartId.bind(null, container),
    listOrderCollections: listOrderCollections.bind(null, container),
    findOrderMoney: findOrderMoney.bind(null, container),
    findSumOfNewOrder: findSumOfNewOrder.bind(null, container),
    listOrderMoney: listOrderMoney.bind(null, container),
    isBeingChanged: isBeingChanged.bind(null, container),
    listOrders: listOrders.bind(null, container),
    listPayments: listPayments.bind(null, container),
    listBookings: listBookings.bind(null, container),
    findBuyer: findBuyer.bind(null, container),
  }
}

type OrderCollection = Record<"order_id" | "payment_collection_id", string>

async function listOrderCollections(
  container: MedusaContainer,
  filters: Partial<Record<keyof OrderCollection, string | string[]>>
) {
  const fields = ["order_id", "payment_collection_id"]
  const entity = "order_payment_collection"
  return await readGraph<OrderCollection>(container, { entity, fields, filters })
}

/** The order that a payment collection belongs to; null while it belongs to a cart or to nothing. */
export async function findOrderId(container: MedusaContainer, payment_collection_id: string) {
  const [link] = await listOrderCollections(container, { payment_collection_id })
  return link?.order_id ?? null
}

async function findOrderAndCartId(container: MedusaContainer, paymentCollectionId: string) {
  const orderId = await findOrderId(container, paymentCollectionId)
  const cartIds = orderId ? await findCartIds(container, [orderId]) : null
  return { orderId, cartId: (orderId && cartIds?.get(orderId)) ?? null }
}

async function findCartIds(container: MedusaContainer, orderIds: string[]) {
  const fields = ["order_id", "cart_id"]
  const question = { entity: "order_cart", fields, filters: { order_id: orderIds } }
  const links = await readGraph<Record<"order_id" | "cart_id", string>>(container, question)
  return new Map(links.map(({ order_id, cart_id }) => [order_id, cart_id]))
}

/** Carts and their present worth: core computes the total anew on each read. */
export async function listCarts(container: MedusaContainer, ids: string[]) {
  const fields = { select: ["id", "total", "currency_code", "completed_at"] }
  const carts = await container.resolve(Modules.CART).listCarts({ id: ids }, fields)
  return carts.map(({ id, total, currency_code, completed_at }) => ({
    id,
    /** Decimal text, unrounded. */
    total: toDecimalText(total as AmountInput),
    currency: currency_code,
    isCompleted: Boolean(completed_at),
  }))
}

/** The cart that a payment collection was made for; the link stays when the cart has become an order. */
async function findCart(container: MedusaContainer, payment_collection_id: string) {
  const entity = "cart_payment_collection"
  const question = { entity, fields: ["cart_id"], filters: { payment_collection_id } }
  const [link] = await readGraph<{ cart_id: string }>(container, question)
  const [cart] = link ? await listCarts(container, [link.cart_id]) : []
  return cart ?? null
}

export type Cart = Awaited<ReturnType<typeof listCarts>>[number]

/** The session with which core would complete a cart; none for a cart that costs nothing. */
export async function findSessionToComplete(container: MedusaContainer, cartId: string) {
  const [cart] = await readGraph<{
    total: unknown
    payment_collection?: { payment_sessions?: PaymentSessionDTO[] } | null
  }>(container, {
    entity: "cart",
    fields: ["id", "total", "payment_collection.payment_sessions.*"],
    filters: { id: cartId },
  })
  const sessions = cart?.payment_collection?.payment_sessions ?? []
  const first = sessions.find(({ status }) => !isClosedSession(status))
  return first && Number(cart?.total) > 0 ? first : null
}

export type Payment = Awaited<ReturnType<typeof listPayments>>[number]

/** A capture, a refund, or its booking on an order: decimal text, negative for a booked refund. */
export type Booking = Record<"id" | "amount", string>

/** A refund, since core has written it down; core asks our provider after that, and deletes it if that refuses it. */
export type Refund = Booking & { since: Date }

/** The type of `filters` is wider than core's, which leaves out some that work. Core reads each relation by a statement of its own. */
export async function listPayments(
  container: MedusaContainer,
  filters: FilterablePaymentProps | Record<string, unknown>,
  { take = null as number | null, relations = ["captures", "refunds"] } = {}
) {
  const of = { relations, order: { id: "ASC" as const }, take: take as number }
  const payments = await container.resolve(Modules.PAYMENT).listPayments(filters, of)
  return payments.map(({ captures = [], refunds = [], ...payment }) => ({
    ...toPayment(payment),
    captures: captures.map(toBooking),
    /** Oldest first. */
    refunds: refunds
      .map((refund): Refund => ({ ...toBooking(refund), since: new Date(refund.created_at) }))
      .sort((one, other) => one.since.getTime() - other.since.getTime()),
  }))
}

function toPayment(payment: PaymentDTO & { payment_session_id?: string }) {
  return {
    id: payment.id,
    amount: exactAmount(payment),
    currency: payment.currency_code,
    providerId: payment.provider_id,
    collectionId: payment.payment_collection_id,
    sessionId: payment.payment_session_id ?? "",
    data: payment.data ?? {},
    isCaptured: Boolean(payment.captured_at),
    isCanceled: Boolean(payment.canceled_at),
  }
}

export async function listBookings(
  container: MedusaContainer,
  order_id: string,
  of: { reference?: "capture" | "refund"; reference_id?: string[] } = {}
) {
  const oldestFirst = { order: { created_at: "ASC" as const }, take: null }
  const orders = container.resolve(Modules.ORDER)
  return (await orders.listOrderTransactions({ order_id, ...of }, oldestFirst)).map(toOrderBooking)
}

/** A booking on an order, of the capture or refund with the id `referenceId`. */
function toOrderBooking(booking: OrderTransactionDTO) {
  return { ...toBooking(booking), referenceId: booking.reference_id }
}

function toBooking(record: { id: string; amount: unknown; raw_amount?: unknown }): Booking {
  return { id: record.id, amount: exactAmount(record) }
}

/** Whether a session or payment belongs to a row's transaction. The data of another provider may come from a browser. */
export const namesTransaction = (
  { providerId, data }: Pick<Payment, "providerId" | "data">,
  row: { method: string; account: string; transaction_id: string | null }
) => providerId === providerIdOf(row) && data.transaction_id === row.transaction_id

/** Payment collections: sums that are paid together, for a cart or for (a part of) an order. */
export async function listCollections(container: MedusaContainer, ids: string[]) {
  const collections = await container
    .resolve(Modules.PAYMENT)
    .listPaymentCollections({ id: ids }, { relations: ["payments"] })
  return collections.map(({ id, status, payments = [], ...sum }) => ({
    id,
    amount: exactAmount(sum),
    isUnpaid: status === "not_paid" || status === "awaiting",
    isPaidInto: payments.some(({ canceled_at }) => !canceled_at),
  }))
}

export type Session = Awaited<ReturnType<typeof listSessions>>[number]

/** Null when core has deleted the session. */
export async function findSession(container: MedusaContainer, id: string) {
  const [session] = await listSessions(container, { id })
  return session ?? null
}

export interface SessionSubject extends Pick<Session, "providerId" | "collectionId"> {
  cartId: string | null
  /** Null, too, when core has rolled the order of the cart back, which is a cart again. */
  orderId: string | null
  storeName: string
}

/** No data from a browser decides what a session is for. One statement, since a shopper waits. `NOT_FOUND` when core has deleted it. */
async function findSessionSubject(container: MedusaContainer, id: string) {
  const { rows } = await container
    .resolve(ContainerRegistrationKeys.PG_CONNECTION)
    .raw<{ rows: SessionSubject[] }>(
      `select session.provider_id as "providerId", session.payment_collection_id as "collectionId",
         of_cart.cart_id as "cartId",
         coalesce(placed.id, case when of_cart.cart_id is null then of_order.order_id end) as "orderId",
         coalesce((select name from store where deleted_at is null order by id limit 1), '') as "storeName"
       from payment_session session
       left join cart_payment_collection of_cart
         on of_cart.payment_collection_id = session.payment_collection_id and of_cart.deleted_at is null
       left join order_payment_collection of_order
         on of_order.payment_collection_id = session.payment_collection_id and of_order.deleted_at is null
       left join "order" placed on placed.id = of_order.order_id and placed.deleted_at is null
       where session.id = ? and session.deleted_at is null`,
      [id]
    )
  const [subject] = rows
  if (!subject) throw refusedPayment("session_gone", { session: id })
  return subject
}

export async function listSessions(
  container: MedusaContainer,
  filters: { id?: string; payment_collection_id?: string | string[]; provider_id?: string }
) {
  const sessions = await container
    .resolve(Modules.PAYMENT)
    .listPaymentSessions(filters, { relations: ["payment", "payment_collection"] })
  return sessions.map(({ payment_collection: collection, ...session }) => ({
    id: session.id,
    status: session.status as string,
    amount: exactAmount(session),
    currency: session.currency_code,
    providerId: session.provider_id,
    collectionId: session.payment_collection_id,
    collection: {
      amount: exactAmount({ amount: 0, ...collection }),
      currency: collection?.currency_code ?? "",
    },
    data: session.data,
    payment: session.payment ? toPayment(session.payment) : null,
  }))
}

export const holdsPayment = ({ payment }: Session) => payment !== null && !payment.isCanceled

async function listOrders(container: MedusaContainer, of: { id: string | string[] }) {
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

/** Whether an edit, return, exchange, claim, transfer or credit of the order is open; core then refuses any other change of it. */
async function isBeingChanged(container: MedusaContainer, order_id: string) {
  const of = { order_id, status: ["pending", "requested"] }
  const open = await container.resolve(Modules.ORDER).listOrderChanges(of, { select: ["id"] })
  return open.length > 0
}

export type CompletedOrder = Awaited<ReturnType<typeof listCompletedOrders>>[number]

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
    filters: { created_at: { $gte: madeSince }, metadata },
  })
  const ids = orders.map(({ id }) => id)
  const cartIds = await findCartIds(container, ids)
  return orders.map((order) => ({ ...order, cartId: cartIds.get(order.id) ?? null }))
}

/** The names of its items whose stock Medusa keeps and has not reserved. */
export async function findUnreserved(container: MedusaContainer, orderId: string) {
  type Item = OrderLineItemDTO & { variant?: { manage_inventory: boolean } | null }
  const [order] = await readGraph<{ items: Item[] }>(container, {
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

/** As core's dashboard shows it, in decimal text. Money that is captured, not given back and not booked on the order counts as booked. */
export type OrderMoney = Awaited<ReturnType<typeof listOrderMoney>>[number]

export async function findOrderMoney(container: MedusaContainer, paymentCollectionId: string) {
  const id = await findOrderId(container, paymentCollectionId)
  const [order] = id ? await listOrderMoney(container, [id]) : []
  return order ?? null
}

/** The sum that the order of a cart asks for while core makes it, before a payment; null when there is no order yet. */
async function findSumOfNewOrder(container: MedusaContainer, paymentCollectionId: string) {
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
  const linked = links.map(({ payment_collection_id }) => payment_collection_id)
  const payments = await listPayments(container, { payment_collection_id: linked })
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
  const unbookedOf = ({ amount, captures, refunds }: Payment) => {
    const left = remainder(amount, sumOf(captures.filter(isBooked)))
    return { amount: remainder(left, sumOf(refunds.filter((one) => !isBooked(one)))) }
  }
  const captured = sumOf(payments.filter(({ isCaptured }) => isCaptured).map(unbookedOf))
  const promised = sumOf(payments.filter(({ isCaptured }) => !isCaptured).map(unbookedOf))
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
