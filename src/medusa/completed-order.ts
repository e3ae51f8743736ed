import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { readGraph } from "./graph"
import { findCartIds } from "./links"

/** An order that a completion has made. */
export interface CompletedOrder {
  id: string
  display_id: number
  canceled_at: unknown
  /** The cart to which core has linked it. */
  cartId: string | null
}

const ULID_DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const ULID_TIME_DIGITS = 10

/** Orders with this metadata that were made since then. There are several when somebody has copied one. */
export async function listCompletedOrders(
  container: MedusaContainer,
  metadata: Record<string, string>,
  madeSince: Date
): Promise<CompletedOrder[]> {
  const orders = await readGraph<Omit<CompletedOrder, "cartId">>(container, {
    entity: "order",
    fields: ["id", "display_id", "canceled_at"],
    filters: { id: { $gte: orderIdAt(madeSince.getTime()) }, metadata },
  })
  const cartIds = await findCartIds(
    container,
    orders.map(({ id }) => id)
  )
  return orders.map((order) => ({ ...order, cartId: cartIds.get(order.id) ?? null }))
}

/**
 * The lowest id that an order of this moment can have: Medusa's ids are ULIDs, which begin with their time. It lets an index find
 * the latest orders; a search by metadata alone would read all orders.
 */
function orderIdAt(ms: number): string {
  let digits = ""
  for (let rest = ms; digits.length < ULID_TIME_DIGITS; rest = Math.floor(rest / 32)) {
    digits = `${ULID_DIGITS[rest % 32] ?? ""}${digits}`
  }
  return `order_${digits}`
}

/** The names of its items whose stock Medusa keeps and has not reserved. */
export async function findUnreserved(
  container: MedusaContainer,
  orderId: string
): Promise<string[]> {
  const [order] = await readGraph<{ items: OrderedItem[] }>(container, {
    entity: "order",
    fields: ["items.id", "items.title", "items.product_title", "items.variant.manage_inventory"],
    filters: { id: orderId },
  })
  const items = order?.items.filter(({ variant }) => variant?.manage_inventory) ?? []
  const line_item_id = items.map(({ id }) => id)
  const reserved = await container
    .resolve(Modules.INVENTORY)
    .listReservationItems({ line_item_id }, { select: ["line_item_id"] })
  return items
    .filter(({ id }) => reserved.every((one) => one.line_item_id !== id))
    .map(({ product_title, title }) => product_title ?? title)
}

interface OrderedItem {
  id: string
  title: string
  product_title: string | null
  variant?: { manage_inventory: boolean } | null
}
