import type * as Medusa from "@medusajs/framework/types"
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
import { findBuyer, type Sale } from "./buyer"
import { readGraph } from "./search"

/** Reads Medusa's records for payments, and changes nothing. */
export class MedusaReader {
  constructor(private readonly container: Medusa.MedusaContainer) {}

  private get orders() {
    return this.container.resolve(Modules.ORDER)
  }

  private get payments() {
    return this.container.resolve(Modules.PAYMENT)
  }

  private graph<T>(entity: string, fields: string[], filters: object): Promise<T[]> {
    return readGraph<T>(this.container, { entity, fields, filters })
  }

  private listOrderCollections(of: Partial<Record<keyof OrderCollection, string | string[]>>) {
    const fields = ["order_id", "payment_collection_id"]
    return this.graph<OrderCollection>("order_payment_collection", fields, of)
  }

  /** The order that a payment collection belongs to; null while it belongs to a cart or to nothing. */
  async findOrderId(payment_collection_id: string) {
    const [link] = await this.listOrderCollections({ payment_collection_id })
    return link?.order_id ?? null
  }

  async findOrderAndCartId(paymentCollectionId: string) {
    const orderId = await this.findOrderId(paymentCollectionId)
    const cartIds = orderId ? await this.findCartIds([orderId]) : null
    return { orderId, cartId: (orderId && cartIds?.get(orderId)) ?? null }
  }

  private async findCartIds(order_id: string[]) {
    type Link = Record<"order_id" | "cart_id", string>
    const links = await this.graph<Link>("order_cart", ["order_id", "cart_id"], { order_id })
    return new Map(links.map((link) => [link.order_id, link.cart_id]))
  }

  /** Carts and their present worth: core computes the total anew on each read. */
  async listCarts(ids: string[]) {
    const fields = { select: ["id", "total", "currency_code", "completed_at"] }
    const carts = await this.container.resolve(Modules.CART).listCarts({ id: ids }, fields)
    return carts.map(({ id, total, currency_code, completed_at }) => ({
      id,
      /** Decimal text, unrounded. */
      total: toDecimalText(total as AmountInput),
      currency: currency_code,
      isCompleted: Boolean(completed_at),
    }))
  }

  /** The cart that a payment collection was made for; the link stays when the cart has become an order. */
  async findCart(payment_collection_id: string) {
    const of = { payment_collection_id }
    const [link] = await this.graph<{ cart_id: string }>("cart_payment_collection", ["cart_id"], of)
    const [cart] = link ? await this.listCarts([link.cart_id]) : []
    return cart ?? null
  }

  /** The session with which core would complete a cart; none for a cart that costs nothing. */
  async findSessionToComplete(cartId: string) {
    type Paid = { payment_sessions?: Medusa.PaymentSessionDTO[] } | null
    type Found = { total: unknown; payment_collection?: Paid }
    const fields = ["id", "total", "payment_collection.payment_sessions.*"]
    const [cart] = await this.graph<Found>("cart", fields, { id: cartId })
    const sessions = cart?.payment_collection?.payment_sessions ?? []
    const first = sessions.find(({ status }) => !isClosedSession(status))
    return first && Number(cart?.total) > 0 ? first : null
  }

  /** The type of `filters` is wider than core's, which leaves out some that work. Core reads each relation by a statement of its own. */
  async listPayments(
    filters: Medusa.FilterablePaymentProps | Record<string, unknown>,
    { take = null as number | null, relations = ["captures", "refunds"] } = {}
  ) {
    const of = { relations, order: { id: "ASC" as const }, take: take as number }
    return (await this.payments.listPayments(filters, of)).map(
      ({ captures = [], refunds = [], ...payment }) => ({
        ...toPayment(payment),
        captures: captures.map(toBooking),
        /** Oldest first. */
        refunds: refunds
          .map((refund): Refund => ({ ...toBooking(refund), since: new Date(refund.created_at) }))
          .sort((one, other) => one.since.getTime() - other.since.getTime()),
      })
    )
  }

  async listBookings(
    order_id: string,
    of: { reference?: "capture" | "refund"; reference_id?: string[] } = {}
  ) {
    const oldestFirst = { order: { created_at: "ASC" as const }, take: null }
    const booked = await this.orders.listOrderTransactions({ order_id, ...of }, oldestFirst)
    return booked.map(toOrderBooking)
  }

  /** Payment collections: sums that are paid together, for a cart or for (a part of) an order. */
  async listCollections(ids: string[]) {
    const fields = { relations: ["payments"] }
    const collections = await this.payments.listPaymentCollections({ id: ids }, fields)
    return collections.map(({ id, status, payments = [], ...sum }) => ({
      id,
      amount: exactAmount(sum),
      isUnpaid: status === "not_paid" || status === "awaiting",
      isPaidInto: payments.some(({ canceled_at }) => !canceled_at),
    }))
  }

  /** Null when core has deleted the session. */
  async findSession(id: string) {
    const [session] = await this.listSessions({ id })
    return session ?? null
  }

  readonly findBuyer = (of: Sale) => findBuyer(this.container, of)

  /** No data from a browser decides what a session is for. One statement, since a shopper waits. `NOT_FOUND` when core has deleted it. */
  async findSessionSubject(id: string) {
    const { rows } = await this.container
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

  async listSessions(filters: { id?: string; payment_collection_id?: string | string[] }) {
    const fields = { relations: ["payment", "payment_collection"] }
    const sessions = await this.payments.listPaymentSessions(filters, fields)
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

  async listOrders(of: { id: string | string[] }) {
    // Core sorts this array, and adds to it.
    const fields = { select: [...ORDER_FIELDS], order: { id: "ASC" as const } }
    return (await this.orders.listOrders(of, fields)).map(toOrder)
  }

  /** Whether an edit, return, exchange, claim, transfer or credit of the order is open; core then refuses any other change of it. */
  async isBeingChanged(order_id: string) {
    const of = { order_id, status: ["pending", "requested"] }
    return (await this.orders.listOrderChanges(of, { select: ["id"] })).length > 0
  }

  /** Orders with this metadata that were made since then. There are several when somebody has copied one. */
  async listCompletedOrders(metadata: Record<string, string>, madeSince: Date) {
    type Order = { id: string; display_id: number; canceled_at: unknown }
    const of = { created_at: { $gte: madeSince }, metadata }
    const orders = await this.graph<Order>("order", ["id", "display_id", "canceled_at"], of)
    const cartIds = await this.findCartIds(orders.map(({ id }) => id))
    return orders.map((order) => ({ ...order, cartId: cartIds.get(order.id) ?? null }))
  }

  /** The names of its items whose stock Medusa keeps and has not reserved. */
  async findUnreserved(orderId: string) {
    type Item = Medusa.OrderLineItemDTO & { variant?: { manage_inventory: boolean } | null }
    const names = ["id", "title", "product_title", "variant.manage_inventory"]
    const fields = names.map((name) => `items.${name}`)
    const [order] = await this.graph<{ items: Item[] }>("order", fields, { id: orderId })
    const items = order?.items.filter(({ variant }) => variant?.manage_inventory) ?? []
    const of = { line_item_id: items.map(({ id }) => id) }
    const stock = this.container.resolve(Modules.INVENTORY)
    const reserved = await stock.listReservationItems(of, { select: ["line_item_id"] })
    return items
      .filter(({ id }) => reserved.every((one) => one.line_item_id !== id))
      .map(({ product_title, title }) => product_title ?? title)
  }

  async findOrderMoney(paymentCollectionId: string) {
    const id = await this.findOrderId(paymentCollectionId)
    const [order] = id ? await this.listOrderMoney([id]) : []
    return order ?? null
  }

  /** The sum that the order of a cart asks for while core makes it, before a payment; null when there is no order yet. */
  async findSumOfNewOrder(paymentCollectionId: string) {
    const id = await this.findOrderId(paymentCollectionId)
    // The stored summary is enough: nothing of a new order was returned yet.
    const of = { select: ["id", "currency_code"], relations: ["summary"] }
    const [order] = id ? await this.orders.listOrders({ id }, of) : []
    return order ? { amount: pendingDifference(order), currency: order.currency_code } : null
  }

  async listOrderMoney(orderIds: string[]) {
    // With the total, core computes the summary as the dashboard shows it. The stored one leaves out requested returns.
    const fields = { select: [...ORDER_FIELDS, "total"], relations: ["summary", "transactions"] }
    const [orders, links] = await Promise.all([
      this.orders.listOrders({ id: orderIds }, fields),
      this.listOrderCollections({ order_id: orderIds }),
    ])
    // Payments are read after the order: one that is booked on it in between counts once, as not booked yet.
    const linked = links.map(({ payment_collection_id }) => payment_collection_id)
    const payments = await this.listPayments({ payment_collection_id: linked })
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
}

type Read<Name extends keyof MedusaReader> = Awaited<ReturnType<MedusaReader[Name]>>

type OrderCollection = Record<"order_id" | "payment_collection_id", string>

export type Cart = Read<"listCarts">[number]
export type CompletedOrder = Read<"listCompletedOrders">[number]
export type Payment = Read<"listPayments">[number]
export type Session = Read<"listSessions">[number]

/** A capture, a refund, or its booking on an order: decimal text, negative for a booked refund. */
export type Booking = Record<"id" | "amount", string>

/** A refund, since core has written it down; core asks our provider after that, and deletes it if that refuses it. */
export type Refund = Booking & { since: Date }

function toPayment(payment: Medusa.PaymentDTO & { payment_session_id?: string }) {
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

/** A booking on an order, of the capture or refund with the id `referenceId`. */
function toOrderBooking(booking: Medusa.OrderTransactionDTO) {
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

export interface SessionSubject extends Pick<Session, "providerId" | "collectionId"> {
  cartId: string | null
  /** Null, too, when core has rolled the order of the cart back, which is a cart again. */
  orderId: string | null
  storeName: string
}

export const holdsPayment = ({ payment }: Session) => payment !== null && !payment.isCanceled

const ORDER_FIELDS = ["id", "display_id", "status", "canceled_at", "currency_code"]

function toOrder({ id, display_id, currency_code, status, canceled_at }: Medusa.OrderDTO) {
  return {
    id,
    displayId: display_id,
    currency: currency_code,
    // An archived order keeps `canceled_at`, while its status no longer says that it was canceled.
    isCanceled: status === "canceled" || Boolean(canceled_at),
  }
}

/** As core's dashboard shows it, in decimal text. Money that is captured, not given back and not booked on the order counts as booked. */
export type OrderMoney = Read<"listOrderMoney">[number]

function pendingDifference({ summary }: Medusa.OrderDTO): string {
  const { pending_difference: amount, raw_pending_difference: raw_amount } = summary ?? {}
  return exactAmount({ amount, raw_amount })
}

function moneyOf(order: Medusa.OrderDTO, payments: Payment[]) {
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
