import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys } from "@medusajs/framework/utils"

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

/** Reads records over several of Medusa's modules. Core does not type the result, so the caller names its type `T`. */
export async function readGraph<T>(container: MedusaContainer, question: Question): Promise<T[]> {
  const { data } = await container
    .resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
    .graph(question)
  return data as T[]
}
