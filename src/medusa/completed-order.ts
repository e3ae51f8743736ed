import type { MedusaContainer } from "@medusajs/framework/types"

import { isAuthorizedSession } from "../settlement/session-status"
import { readGraph } from "./graph"
import { findCartIds } from "./links"

/** An order that a completion has made. */
export interface CompletedOrder {
  id: string
  display_id: number
  canceled_at: unknown
  created_at: string | Date
  items: { id: string }[]
  payment_collections: {
    id: string
    payment_sessions?: { status: string; authorized_at: string | Date | null }[]
  }[]
  transactions?: unknown[]
  /** The cart to which core has linked it. */
  cartId: string | null
}

const FIELDS = [
  "display_id",
  "canceled_at",
  "created_at",
  "items.id",
  "payment_collections.id",
  "payment_collections.payment_sessions.status",
  "payment_collections.payment_sessions.authorized_at",
  "transactions.id",
]
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
    fields: FIELDS,
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

/** Whether core reached the payment, its last step: a session was authorized since the order was made, or money is booked on it. */
export function hasReachedPayment(order: CompletedOrder): boolean {
  const made = new Date(order.created_at)
  return (
    Boolean(order.transactions?.length) ||
    order.payment_collections
      .flatMap(({ payment_sessions = [] }) => payment_sessions)
      .some(
        ({ status, authorized_at }) =>
          isAuthorizedSession(status) && (!authorized_at || new Date(authorized_at) >= made)
      )
  )
}
