import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { isAuthorizedSession, isOpenSession } from "../payments/rules/evidence"
import { type AmountInput, toDecimalText } from "../values/amount"
import { findBuyer } from "./buyer"
import {
  findOrderMoney,
  findSumOfNewOrder,
  isBeingChanged,
  listOpenCredits,
  listOrderMoney,
  listOrders,
} from "./order"
import {
  findSession,
  findSessionSubject,
  listBookings,
  listPayments,
  listSessions,
} from "./payments"

/** The reads of Medusa that a payment needs. */
export type MedusaReader = ReturnType<typeof medusaReader>

export function medusaReader(container: MedusaContainer) {
  return {
    findSession: (id: string) => findSession(container, id),
    findSessionSubject: (id: string) => findSessionSubject(container, id),
    listSessions: (filters: Parameters<typeof listSessions>[1]) => listSessions(container, filters),
    findCart: (collectionId: string) => findCart(container, collectionId),
    listCarts: (ids: string[]) => listCarts(container, ids),
    findCartId: (collectionId: string) => findCartId(container, collectionId),
    findOrderId: (collectionId: string) => findOrderId(container, collectionId),
    findOrderAndCartId: (collectionId: string) => findOrderAndCartId(container, collectionId),
    listOrderCollections: (of: Parameters<typeof listOrderCollections>[1]) =>
      listOrderCollections(container, of),
    findOrderMoney: (collectionId: string) => findOrderMoney(container, collectionId),
    findSumOfNewOrder: (collectionId: string) => findSumOfNewOrder(container, collectionId),
    listOrderMoney: (ids: string[]) => listOrderMoney(container, ids),
    isBeingChanged: (orderId: string) => isBeingChanged(container, orderId),
    listOpenCredits: (orderId: string) => listOpenCredits(container, orderId),
    listOrders: (of: Parameters<typeof listOrders>[1]) => listOrders(container, of),
    listPayments: (
      filters: { id: string } | { payment_collection_id: string | string[] },
      read?: { relations: string[] }
    ) => listPayments(container, filters, read),
    listBookings: (
      orderId: string,
      of: { reference: "capture" | "refund"; reference_id: string[] }
    ) => listBookings(container, orderId, of),
    findBuyer: (of: Parameters<typeof findBuyer>[1]) => findBuyer(container, of),
  }
}

export interface OrderCollection {
  order_id: string
  payment_collection_id: string
}

/** The pairs of order and payment collection that belong together, for these orders or these collections. */
export async function listOrderCollections(
  container: MedusaContainer,
  filters: Partial<Record<keyof OrderCollection, string | string[]>>
) {
  return await readGraph<OrderCollection>(container, {
    entity: "order_payment_collection",
    fields: ["order_id", "payment_collection_id"],
    filters,
  })
}

/** The order that a payment collection belongs to; null while it belongs to a cart or to nothing. */
export async function findOrderId(container: MedusaContainer, paymentCollectionId: string) {
  const ofCollection = { payment_collection_id: paymentCollectionId }
  const [link] = await listOrderCollections(container, ofCollection)
  return link?.order_id ?? null
}

/** The cart that a payment collection was made for; the link stays when the cart has become an order. */
export async function findCartId(container: MedusaContainer, paymentCollectionId: string) {
  const [link] = await readGraph<{ cart_id: string }>(container, {
    entity: "cart_payment_collection",
    fields: ["cart_id"],
    filters: { payment_collection_id: paymentCollectionId },
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

interface Question {
  entity: string
  fields: string[]
  filters: object
  pagination?: { take: number; skip: number; order: Record<string, "ASC" | "DESC"> }
}

/**
 * Reads records over several of Medusa's modules. Core does not type the result, so the caller, who names the
 * fields, also names their type `T`.
 */
export async function readGraph<T>(container: MedusaContainer, question: Question): Promise<T[]> {
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

/** The cart that a payment collection is for, or null when it belongs to no cart. */
export async function findCart(container: MedusaContainer, paymentCollectionId: string) {
  const id = await findCartId(container, paymentCollectionId)
  const [cart] = id ? await listCarts(container, [id]) : []
  return cart ?? null
}

export type Cart = Awaited<ReturnType<typeof listCarts>>[number]

interface SessionOfCart {
  id: string
  status: string
  provider_id: string
  data: Record<string, unknown>
}

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
  const first = sessions.find(({ status }) => isOpenSession(status) || isAuthorizedSession(status))
  return first && Number(cart?.total) > 0 ? first : null
}

interface Sold {
  sales_channel_id: string | null
  shipping_address?: { country_code: string | null } | null
  billing_address?: { country_code: string | null } | null
  region?: { countries?: { iso_2: string }[] } | null
}

/**
 * The sales channel and country of an order, or of a cart that is none yet: they decide to which storefront the payer returns. Of
 * a digital cart, which has no shipping address, it is the country of the bill, else the first one of its region.
 */
export async function findSalesChannelAndCountry(
  container: MedusaContainer,
  { order_id: orderId, cart_id: cartId }: { order_id: string | null; cart_id: string | null }
) {
  const fields = [
    "sales_channel_id",
    "shipping_address.country_code",
    "billing_address.country_code",
    "region.countries.iso_2",
  ]
  const [entity, id] = orderId ? ["order", orderId] : ["cart", cartId]
  const [sold] = id ? await readGraph<Sold>(container, { entity, fields, filters: { id } }) : []
  return {
    salesChannelId: sold?.sales_channel_id ?? null,
    countryCode:
      sold?.shipping_address?.country_code ??
      sold?.billing_address?.country_code ??
      sold?.region?.countries?.[0]?.iso_2 ??
      null,
  }
}
