import type { MedusaContainer } from "@medusajs/framework/types"

import { readGraph } from "./reader"

/** The buyer of a cart or an order, and its items: facts that a payment may tell the service. */
export type Buyer = Awaited<ReturnType<typeof findBuyer>>

type PersonName = { first_name?: string | null; last_name?: string | null } | null
interface BuyerRecord {
  sales_channel_id?: string | null
  email?: string | null
  customer?: { id: string; has_account: boolean } | null
  shipping_address?: PersonName
  billing_address?: PersonName
  items?: ({ title?: string; product_title?: string | null; quantity?: unknown } | null)[]
}

/** The buyer of an order, else of a cart; all fields are empty without either. */
export async function findBuyer(
  container: MedusaContainer,
  { orderId, cartId }: { orderId: string | null; cartId: string | null }
) {
  const [entity, id] = orderId ? ["order", orderId] : ["cart", cartId]
  const fields = [
    "sales_channel_id",
    "email",
    "customer.id",
    "customer.has_account",
    ...["billing_address", "shipping_address"].flatMap((address) => [
      `${address}.first_name`,
      `${address}.last_name`,
    ]),
    // All fields, because an order's items come without their quantity when fields are named one by one.
    "items.*",
  ]
  const found = id
    ? (await readGraph<BuyerRecord>(container, { entity, fields, filters: { id } }))[0]
    : undefined
  const name = found?.billing_address ?? found?.shipping_address
  return {
    salesChannelId: found?.sales_channel_id ?? null,
    customerId: found?.customer?.id ?? null,
    /** A registered customer has an id of their own; a guest is known by e-mail only. */
    isGuest: !found?.customer?.has_account,
    email: found?.email ?? null,
    payerName: [name?.first_name, name?.last_name].filter(Boolean).join(" ") || null,
    items: (found?.items ?? []).flatMap((item) =>
      item
        ? [{ title: item.product_title ?? item.title ?? "", quantity: Number(item.quantity ?? 1) }]
        : []
    ),
  }
}
