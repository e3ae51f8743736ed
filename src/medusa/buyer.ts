import type { MedusaContainer } from "@medusajs/framework/types"

import { readGraph } from "./graph"

/** The buyer of a cart or an order, and its items: what the service may be told with a payment. */
export interface Buyer {
  /** Id of the cart or the order. */
  id: string
  customerId: string | null
  /** A registered customer has an id of their own; a guest is known by e-mail only. */
  isGuest: boolean
  email: string | null
  payerName: string | null
  items: { title: string; quantity: number }[]
}

interface BuyerRecord {
  id: string
  email?: string | null
  customer?: { id: string; has_account?: boolean } | null
  shipping_address?: PersonName | null
  billing_address?: PersonName | null
  items?: ({ title?: string; product_title?: string; quantity?: unknown } | null)[]
}
interface PersonName {
  first_name?: string | null
  last_name?: string | null
}

const FIELDS = [
  "id",
  "email",
  "customer.id",
  "customer.has_account",
  "shipping_address.first_name",
  "shipping_address.last_name",
  "billing_address.first_name",
  "billing_address.last_name",
]
/** All fields, because an order's items come without their quantity when fields are named one by one. */
const ITEM_FIELDS = ["items.*"]

/** The buyer of the cart, or of the order, that a payment collection belongs to; null where there is none. */
export async function findBuyer(
  container: MedusaContainer,
  of: "cart" | "order",
  paymentCollectionId: string,
  withItems: boolean
): Promise<Buyer | null> {
  const fields = [...FIELDS, ...(withItems ? ITEM_FIELDS : [])]
  const [link] = await readGraph<Partial<Record<typeof of, BuyerRecord>>>(container, {
    entity: `${of}_payment_collection`,
    fields: fields.map((field) => `${of}.${field}`),
    filters: { payment_collection_id: paymentCollectionId },
  })
  const buyer = link?.[of]
  if (!buyer) {
    return null
  }
  const name = buyer.billing_address ?? buyer.shipping_address
  return {
    id: buyer.id,
    customerId: buyer.customer?.id ?? null,
    isGuest: !buyer.customer?.has_account,
    email: buyer.email ?? null,
    payerName: [name?.first_name, name?.last_name].filter(Boolean).join(" ") || null,
    items: (buyer.items ?? []).flatMap((item) =>
      item
        ? [{ title: item.product_title ?? item.title ?? "", quantity: Number(item.quantity ?? 1) }]
        : []
    ),
  }
}

export async function findStoreName(container: MedusaContainer): Promise<string> {
  const [store] = await readGraph<{ name?: string }>(container, {
    entity: "store",
    fields: ["name"],
    filters: {},
  })
  return store?.name ?? ""
}
