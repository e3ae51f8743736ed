import type { MedusaContainer } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

/** A link's two ids. */
interface Links {
  order_payment_collection: { order_id: string; payment_collection_id: string }
  cart_payment_collection: { cart_id: string; payment_collection_id: string }
  order_cart: { order_id: string; cart_id: string }
}
type Of<Name extends keyof Links> = Partial<Record<keyof Links[Name], string | string[]>>

/** Both modules of a link, each with the name of its id. */
type Ends = [string, string, string, string]

const ORDER = [Modules.ORDER, "order_id"] as const
const CART = [Modules.CART, "cart_id"] as const
const COLLECTION = [Modules.PAYMENT, "payment_collection_id"] as const
const ENDS: Record<keyof Links, Ends> = {
  order_payment_collection: [...ORDER, ...COLLECTION],
  cart_payment_collection: [...CART, ...COLLECTION],
  order_cart: [...ORDER, ...CART],
}

/** Reads links from the link's own module, which takes half the time of core's graph. */
async function listLinks<Name extends keyof Links>(
  container: MedusaContainer,
  name: Name,
  of: Of<Name>
): Promise<Links[Name][]> {
  const ends: Ends = ENDS[name]
  const links = container.resolve(ContainerRegistrationKeys.LINK).getLinkModule(...ends)
  return (await links?.list(of)) as Links[Name][]
}

/** The order that a payment collection belongs to; null while it belongs to a cart or to nothing. */
export async function findOrderId(container: MedusaContainer, paymentCollectionId: string) {
  const [link] = await listLinks(container, "order_payment_collection", {
    payment_collection_id: paymentCollectionId,
  })
  return link?.order_id ?? null
}

/** The pairs of order and payment collection that belong together, for these orders or these collections. */
export async function listOrderCollections(
  container: MedusaContainer,
  of: Of<"order_payment_collection">
) {
  return await listLinks(container, "order_payment_collection", of)
}

/** The cart that a payment collection was made for; the link stays when the cart has become an order. */
export async function findCartId(container: MedusaContainer, paymentCollectionId: string) {
  const [link] = await listLinks(container, "cart_payment_collection", {
    payment_collection_id: paymentCollectionId,
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
  const links = await listLinks(container, "order_cart", { order_id: orderIds })
  return new Map(links.map(({ order_id, cart_id }) => [order_id, cart_id]))
}
