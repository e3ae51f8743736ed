import type {
  FilterablePaymentProps,
  MedusaContainer,
  OrderTransactionDTO,
  PaymentDTO,
  PaymentSessionDTO,
  RemoteQueryFunction,
} from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { isClosedSession } from "../payments/rules/decide"
import { providerIdOf } from "../payments/rules/transaction"
import { refusedPayment } from "../refusals/refused"
import { type AmountInput, exactAmount, toDecimalText } from "../values/amount"
import { findBuyer } from "./buyer"
import {
  findOrderMoney,
  findSumOfNewOrder,
  isBeingChanged,
  listOpenCredits,
  listOrderMoney,
  listOrders,
} from "./order"

/** The reads of Medusa that a payment needs. */
export type MedusaReader = ReturnType<typeof medusaReader>

export function medusaReader(container: MedusaContainer) {
  return {
    findSession: findSession.bind(null, container),
    findSessionSubject: findSessionSubject.bind(null, container),
    listSessions: listSessions.bind(null, container),
    findCart: findCart.bind(null, container),
    listCarts: listCarts.bind(null, container),
    findCartId: findCartId.bind(null, container),
    findOrderId: findOrderId.bind(null, container),
    findOrderAndCartId: findOrderAndCartId.bind(null, container),
    listOrderCollections: listOrderCollections.bind(null, container),
    findOrderMoney: findOrderMoney.bind(null, container),
    findSumOfNewOrder: findSumOfNewOrder.bind(null, container),
    listOrderMoney: listOrderMoney.bind(null, container),
    isBeingChanged: isBeingChanged.bind(null, container),
    listOpenCredits: listOpenCredits.bind(null, container),
    listOrders: listOrders.bind(null, container),
    listPayments: listPayments.bind(null, container),
    listBookings: listBookings.bind(null, container),
    findBuyer: findBuyer.bind(null, container),
  }
}

type OrderCollection = Record<"order_id" | "payment_collection_id", string>

/** The pairs of order and payment collection that belong together, for these orders or these collections. */
export async function listOrderCollections(
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

/** The cart that a payment collection was made for; the link stays when the cart has become an order. */
export async function findCartId(container: MedusaContainer, payment_collection_id: string) {
  const [link] = await readGraph<{ cart_id: string }>(container, {
    entity: "cart_payment_collection",
    fields: ["cart_id"],
    filters: { payment_collection_id },
  })
  return link?.cart_id ?? null
}

/** The order of a payment collection and the cart that the order was made from; null where there is none. */
export async function findOrderAndCartId(container: MedusaContainer, paymentCollectionId: string) {
  const orderId = await findOrderId(container, paymentCollectionId)
  const cartIds = orderId ? await findCartIds(container, [orderId]) : null
  return { orderId, cartId: (orderId && cartIds?.get(orderId)) ?? null }
}

/** The carts that these orders were made from, by the orders' ids. */
export async function findCartIds(container: MedusaContainer, orderIds: string[]) {
  const links = await readGraph<{ order_id: string; cart_id: string }>(container, {
    entity: "order_cart",
    fields: ["order_id", "cart_id"],
    filters: { order_id: orderIds },
  })
  return new Map(links.map(({ order_id, cart_id }) => [order_id, cart_id]))
}

/** Reads records over several of Medusa's modules. Core does not type them, so the caller, who names the fields, names their type. */
export async function readGraph<T>(
  container: MedusaContainer,
  question: Parameters<RemoteQueryFunction["graph"]>[0]
): Promise<T[]> {
  const { data } = await container
    .resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
    .graph(question)
  return data as T[]
}

/** Carts and their present worth: core computes the total anew on each read. */
export async function listCarts(container: MedusaContainer, ids: string[]) {
  const carts = await container
    .resolve(Modules.CART)
    .listCarts({ id: ids }, { select: ["id", "total", "currency_code", "completed_at"] })
  return carts.map(({ id, total, currency_code, completed_at }) => ({
    id,
    /** Decimal text, unrounded. */
    total: toDecimalText(total as AmountInput),
    currency: currency_code,
    isCompleted: Boolean(completed_at),
  }))
}

export async function findCart(container: MedusaContainer, paymentCollectionId: string) {
  const id = await findCartId(container, paymentCollectionId)
  const [cart] = id ? await listCarts(container, [id]) : []
  return cart ?? null
}

export type Cart = Awaited<ReturnType<typeof listCarts>>[number]

type SessionOfCart = Pick<PaymentSessionDTO, "id" | "status" | "provider_id" | "data">

/** The session with which core would complete a cart; none for a cart that costs nothing. */
export async function findSessionToComplete(container: MedusaContainer, cartId: string) {
  const [cart] = await readGraph<{
    total: unknown
    payment_collection?: { payment_sessions?: SessionOfCart[] } | null
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

/** @param payment with a field that core's types leave out */
function toPayment(payment: PaymentDTO & { payment_session_id?: string }) {
  return {
    id: payment.id,
    amount: exactAmount(payment),
    currency: payment.currency_code,
    providerId: payment.provider_id,
    collectionId: payment.payment_collection_id,
    sessionId: payment.payment_session_id ?? "",
    /** Written by its provider; the data of other providers than ours may come from a browser. */
    data: payment.data ?? {},
    isCaptured: Boolean(payment.captured_at),
    isCanceled: Boolean(payment.canceled_at),
  }
}

export async function listBookings(
  container: MedusaContainer,
  orderId: string,
  of: { reference?: "capture" | "refund"; reference_id?: string[] } = {}
) {
  const oldestFirst = { order: { created_at: "ASC" as const }, take: null }
  const bookings = await container
    .resolve(Modules.ORDER)
    .listOrderTransactions({ order_id: orderId, ...of }, oldestFirst)
  return bookings.map(toOrderBooking)
}

/** A booking on an order, of the capture or refund with the id `referenceId`. */
export function toOrderBooking(booking: OrderTransactionDTO) {
  return { ...toBooking(booking), referenceId: booking.reference_id }
}

function toBooking(record: { id: string; amount: unknown; raw_amount?: unknown }): Booking {
  return { id: record.id, amount: exactAmount(record) }
}

/** Whether a session or payment belongs to a row's transaction. The data of another provider may come from a browser. */
export function namesTransaction(
  { providerId, data }: Pick<Payment, "providerId" | "data">,
  row: { method: string; account: string; transaction_id: string | null }
): boolean {
  return providerId === providerIdOf(row) && data.transaction_id === row.transaction_id
}

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

/** A payment session as it is stored now, with the payment that Medusa has made from it. */
export type Session = Awaited<ReturnType<typeof listSessions>>[number]

/** Null when core has deleted the session. */
export async function findSession(container: MedusaContainer, id: string) {
  const [session] = await listSessions(container, { id })
  return session ?? null
}

/** A session's collection, with the cart and the order that it belongs to. */
export interface SessionSubject extends Pick<Session, "providerId" | "collectionId"> {
  cartId: string | null
  /** Null, too, when core has rolled the order of the cart back, which is a cart again. */
  orderId: string | null
  /** Empty when the store has no name. */
  storeName: string
}

/** No data from a browser decides what a session is for. One statement, since a shopper waits. `NOT_FOUND` when core has deleted it. */
export async function findSessionSubject(container: MedusaContainer, id: string) {
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
    /** Written by its provider; the data of other providers than ours may come from a browser. */
    data: session.data,
    payment: session.payment ? toPayment(session.payment) : null,
  }))
}

export function holdsPayment({ payment }: Session): boolean {
  return payment !== null && !payment.isCanceled
}
