import type { MedusaContainer } from "@medusajs/framework/types"

import { readGraph } from "./graph"

/** The order that a payment collection belongs to; null while it belongs to a cart or to nothing. */
export async function findOrderId(
  container: MedusaContainer,
  paymentCollectionId: string
): Promise<string | null> {
  const [link] = await readGraph<{ order_id: string }>(container, {
    entity: "order_payment_collection",
    fields: ["order_id"],
    filters: { payment_collection_id: paymentCollectionId },
  })
  return link?.order_id ?? null
}

interface OrderCollection {
  order_id: string
  payment_collection_id: string
}

/** The pairs of order and payment collection that belong together, for these orders or these collections. */
export async function listOrderCollections(
  container: MedusaContainer,
  of: Partial<Record<keyof OrderCollection, string | string[]>>
): Promise<OrderCollection[]> {
  return await readGraph<OrderCollection>(container, {
    entity: "order_payment_collection",
    fields: ["order_id", "payment_collection_id"],
    filters: of,
  })
}

/** The cart that a payment collection was made for; the link stays when the cart has become an order. */
export async function findCartId(
  container: MedusaContainer,
  paymentCollectionId: string
): Promise<string | null> {
  const [link] = await readGraph<{ cart_id: string }>(container, {
    entity: "cart_payment_collection",
    fields: ["cart_id"],
    filters: { payment_collection_id: paymentCollectionId },
  })
  return link?.cart_id ?? null
}

/** The order of a payment collection and the cart that the order was made from; null where there is none. */
export async function findOrderAndCartId(
  container: MedusaContainer,
  paymentCollectionId: string
): Promise<{ orderId: string | null; cartId: string | null }> {
  const [link] = await readGraph<{ order_id: string; order?: { cart?: { id: string } | null } }>(
    container,
    {
      entity: "order_payment_collection",
      fields: ["order_id", "order.cart.id"],
      filters: { payment_collection_id: paymentCollectionId },
    }
  )
  return { orderId: link?.order_id ?? null, cartId: link?.order?.cart?.id ?? null }
}

/** The carts that these orders were made from, by the orders' ids. */
export async function findCartIds(
  container: MedusaContainer,
  orderIds: string[]
): Promise<Map<string, string>> {
  const links = await readGraph<{ order_id: string; cart_id: string }>(container, {
    entity: "order_cart",
    fields: ["order_id", "cart_id"],
    filters: { order_id: orderIds },
  })
  return new Map(links.map(({ order_id, cart_id }) => [order_id, cart_id]))
}
