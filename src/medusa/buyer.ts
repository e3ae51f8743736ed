import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { readGraph } from "./graph"

/** The buyer of a cart or an order, and its items: facts that a payment may tell the service. */
export type Buyer = Awaited<ReturnType<typeof findBuyer>>

/** The parts of a buyer that are read only when they are asked for. */
interface Wanted {
  name: boolean
  items: boolean
}

interface BuyerRecord {
  sales_channel_id?: string | null
  email?: string | null
  customer_id?: string | null
  shipping_address?: PersonName | null
  billing_address?: PersonName | null
  items?: ({ title?: string; product_title?: string | null; quantity?: unknown } | null)[]
}
interface PersonName {
  first_name?: string | null
  last_name?: string | null
}

const ADDRESSES = ["billing_address", "shipping_address"]
const NAMES = ADDRESSES.flatMap((address) => [`${address}.first_name`, `${address}.last_name`])

/** The buyer of an order, else of a cart; all fields are empty without either. */
export async function findBuyer(
  container: MedusaContainer,
  { orderId, cartId }: { orderId: string | undefined; cartId: string | null },
  wanted: Wanted
) {
  const found: BuyerRecord = orderId
    ? await readOrder(container, orderId, wanted)
    : cartId
      ? await readCart(container, cartId, wanted)
      : {}
  const [customer] = found.customer_id
    ? await container
        .resolve(Modules.CUSTOMER)
        .listCustomers({ id: found.customer_id }, { select: ["id", "has_account"] })
    : []
  const name = found.billing_address ?? found.shipping_address
  return {
    salesChannelId: found.sales_channel_id ?? null,
    customerId: customer?.id ?? null,
    /** A registered customer has an id of their own; a guest is known by e-mail only. */
    isGuest: !customer?.has_account,
    email: found.email ?? null,
    /** Null also when it was not asked for. */
    payerName: [name?.first_name, name?.last_name].filter(Boolean).join(" ") || null,
    /** Empty also when they were not asked for. */
    items: (found.items ?? []).flatMap((item) =>
      item
        ? [{ title: item.product_title ?? item.title ?? "", quantity: Number(item.quantity ?? 1) }]
        : []
    ),
  }
}

/** Cart and items are read in parallel, which takes half the time of one read of both. */
async function readCart(container: MedusaContainer, id: string, wanted: Wanted) {
  const carts = container.resolve(Modules.CART)
  const [[cart], items] = await Promise.all([
    carts.listCarts(
      { id: [id] },
      {
        select: ["id", "sales_channel_id", "email", "customer_id", ...(wanted.name ? NAMES : [])],
        relations: wanted.name ? ADDRESSES : [],
      }
    ),
    wanted.items
      ? carts.listLineItems(
          { cart_id: id },
          { select: ["title", "product_title", "quantity"], take: null }
        )
      : [],
  ])
  return { ...cart, items }
}

async function readOrder(container: MedusaContainer, id: string, wanted: Wanted) {
  const [order] = await readGraph<BuyerRecord>(container, {
    entity: "order",
    fields: [
      "sales_channel_id",
      "email",
      "customer_id",
      ...(wanted.name ? NAMES : []),
      // All fields, because an order's items come without their quantity when fields are named one by one.
      ...(wanted.items ? ["items.*"] : []),
    ],
    filters: { id },
  })
  return order ?? {}
}
