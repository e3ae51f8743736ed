import type { MedusaContainer } from "@medusajs/framework/types"

import { fullName, readGraph } from "./search"

export type Buyer = Awaited<ReturnType<typeof findBuyer>>

type Texts<Field extends string> = Partial<Record<Field, string | null>>
type Person = Texts<"first_name" | "last_name" | "phone">
type Address = Person &
  Texts<"address_1" | "address_2" | "city" | "province" | "postal_code" | "country_code">

/** An order or a cart, with those of these fields that were asked for. */
interface Sold extends Texts<"sales_channel_id" | "email"> {
  customer?: (Person & { id: string; has_account: boolean }) | null
  shipping_address?: Address | null
  billing_address?: Address | null
  region?: { countries?: { iso_2: string }[] } | null
  items?: ((Texts<"product_title"> & { title?: string; quantity?: unknown }) | null)[]
}

/** An order, else a cart. */
export type Sale = Record<"orderId" | "cartId", string | null>

/** The buyer of an order, else of a cart; all fields are empty without either. */
export async function findBuyer(container: MedusaContainer, of: Sale) {
  const found = await findSold(container, of, ["sales_channel_id", "email", ...PEOPLE_AND_ITEMS])
  return {
    salesChannelId: found?.sales_channel_id ?? null,
    customerId: found?.customer?.id ?? null,
    /** A registered customer has an id of their own; a guest is known by e-mail only. */
    isGuest: !found?.customer?.has_account,
    email: found?.email ?? null,
    payerName: fullName(found?.billing_address ?? found?.shipping_address),
    items: itemsOf(found),
  }
}

/** Tells an admin whom to ask and where to ship; null without order and cart. These are personal data, for one problem's page only. */
export async function findDelivery(container: MedusaContainer, of: Sale) {
  const found = await findSold(container, of, PEOPLE_AND_ITEMS)
  if (!found) return null
  const { customer, shipping_address: to, billing_address: bill } = found
  const street = [to?.address_1, to?.address_2].filter(Boolean).join(", ")
  const parts = [to?.postal_code, to?.province, to?.city, street].filter(Boolean)
  return {
    name: fullName(to) ?? fullName(bill) ?? fullName(customer),
    phone: to?.phone || bill?.phone || customer?.phone || null,
    /** Without the country; null for what is not shipped. */
    address: parts.join(", ") || null,
    country_code: to?.country_code ?? null,
    items: itemsOf(found),
  }
}

/** They decide to which storefront the payer returns. Digital goods have no shipping address, but a bill's, or a region with countries. */
export async function findSalesChannelAndCountry(container: MedusaContainer, of: Sale) {
  const sold = await findSold(container, of, [
    "sales_channel_id",
    "shipping_address.country_code",
    "billing_address.country_code",
    "region.countries.iso_2",
  ])
  return {
    salesChannelId: sold?.sales_channel_id ?? null,
    countryCode:
      sold?.shipping_address?.country_code ??
      sold?.billing_address?.country_code ??
      sold?.region?.countries?.[0]?.iso_2 ??
      null,
  }
}

/** An order's items come without their quantity when their fields are named one by one. */
const PEOPLE_AND_ITEMS = ["customer.*", "billing_address.*", "shipping_address.*", "items.*"]

async function findSold(container: MedusaContainer, { orderId, cartId }: Sale, fields: string[]) {
  const [entity, id] = orderId ? ["order", orderId] : ["cart", cartId]
  const [found] = id ? await readGraph<Sold>(container, { entity, fields, filters: { id } }) : []
  return found
}

const itemsOf = ({ items = [] }: Sold = {}) =>
  items.flatMap((item) =>
    item
      ? [{ title: item.product_title ?? item.title ?? "", quantity: Number(item.quantity ?? 1) }]
      : []
  )
