import type { MedusaContainer } from "@medusajs/framework/types"

import { readGraph } from "./reader"

/** The buyer of a cart or an order, and its items: facts that a payment may tell the service. */
export type Buyer = Awaited<ReturnType<typeof findBuyer>>

type PersonName = { first_name?: string | null; last_name?: string | null } | null
type Items = ({ title?: string; product_title?: string | null; quantity?: unknown } | null)[]
interface BuyerRecord {
  sales_channel_id?: string | null
  email?: string | null
  customer?: { id: string; has_account: boolean } | null
  shipping_address?: PersonName
  billing_address?: PersonName
  items?: Items
}

export interface Of {
  orderId: string | null
  cartId: string | null
}

/** The buyer of an order, else of a cart; all fields are empty without either. */
export async function findBuyer(container: MedusaContainer, of: Of) {
  const found = await findSold<BuyerRecord>(container, of, [
    "sales_channel_id",
    "email",
    "customer.id",
    "customer.has_account",
    ...["billing_address", "shipping_address"].flatMap((address) => [
      `${address}.first_name`,
      `${address}.last_name`,
    ]),
    ALL_OF_ITEMS,
  ])
  return {
    salesChannelId: found?.sales_channel_id ?? null,
    customerId: found?.customer?.id ?? null,
    /** A registered customer has an id of their own; a guest is known by e-mail only. */
    isGuest: !found?.customer?.has_account,
    email: found?.email ?? null,
    payerName: nameOf(found?.billing_address ?? found?.shipping_address),
    items: itemsOf(found?.items),
  }
}

type Address = PersonName &
  Partial<
    Record<
      "phone" | "address_1" | "address_2" | "city" | "province" | "postal_code" | "country_code",
      string | null
    >
  >
interface DeliveryRecord {
  customer?: (PersonName & { phone?: string | null }) | null
  shipping_address?: Address | null
  billing_address?: Address | null
  items?: Items
}

/**
 * The buyer, address and items of an order, else of a cart, by which an admin asks the buyer and ships; null when
 * neither is there. These are personal data, for the page of one problem only.
 */
export async function findDelivery(container: MedusaContainer, of: Of) {
  const found = await findSold<DeliveryRecord>(container, of, [
    ...["first_name", "last_name", "phone"].map((field) => `customer.${field}`),
    "billing_address.*",
    "shipping_address.*",
    ALL_OF_ITEMS,
  ])
  if (!found) return null
  const { customer, shipping_address: to, billing_address: bill } = found
  const street = [to?.address_1, to?.address_2].filter(Boolean).join(", ")
  const parts = [to?.postal_code, to?.province, to?.city, street].filter(Boolean)
  return {
    name: nameOf(to) ?? nameOf(bill) ?? nameOf(customer),
    phone: to?.phone || bill?.phone || customer?.phone || null,
    /** Without the country; null for what is not shipped. */
    address: parts.join(", ") || null,
    country_code: to?.country_code ?? null,
    items: itemsOf(found.items),
  }
}

/**
 * The sales channel and country of an order, or of a cart that is none yet: they decide to which storefront the payer returns. Of
 * a digital cart, which has no shipping address, it is the country of the bill, else the first one of its region.
 */
export async function findSalesChannelAndCountry(container: MedusaContainer, of: Of) {
  type Country = { country_code: string | null } | null
  const sold = await findSold<{
    sales_channel_id: string | null
    shipping_address?: Country
    billing_address?: Country
    region?: { countries?: { iso_2: string }[] } | null
  }>(container, of, [
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
const ALL_OF_ITEMS = "items.*"

/** An order, else a cart, with these fields. */
async function findSold<T>(container: MedusaContainer, { orderId, cartId }: Of, fields: string[]) {
  const [entity, id] = orderId ? ["order", orderId] : ["cart", cartId]
  const [found] = id ? await readGraph<T>(container, { entity, fields, filters: { id } }) : []
  return found
}

const nameOf = (name: PersonName | undefined) =>
  [name?.first_name, name?.last_name].filter(Boolean).join(" ") || null

const itemsOf = (items: Items = []) =>
  items.flatMap((item) =>
    item
      ? [{ title: item.product_title ?? item.title ?? "", quantity: Number(item.quantity ?? 1) }]
      : []
  )
