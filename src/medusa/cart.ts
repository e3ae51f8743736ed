import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { isAuthorizedSession, isOpenSession } from "../payments/rules/evidence"
import { type AmountInput, toDecimalText } from "../values/amount"
import { readGraph, findCartId } from "./links"

/** Carts and their present worth: core computes the total anew on each read. */
export async function listCarts(container: MedusaContainer, ids: string[]) {
  const carts = await container
    .resolve(Modules.CART)
    .listCarts({ id: ids }, { select: ["id", "total", "currency_code", "completed_at"] })
  return carts.map(({ id, total, currency_code, completed_at }) => ({
    id,
    /** Decimal text, unrounded. */
    total: toDecimalText(total as AmountInput),
    currency: currency_code,
    isCompleted: Boolean(completed_at),
  }))
}

/** The cart that a payment collection is for, or null when it belongs to no cart. */
export async function findCart(container: MedusaContainer, paymentCollectionId: string) {
  const id = await findCartId(container, paymentCollectionId)
  const [cart] = id ? await listCarts(container, [id]) : []
  return cart ?? null
}

export type Cart = Awaited<ReturnType<typeof listCarts>>[number]

interface SessionOfCart {
  id: string
  status: string
  provider_id: string
  data: Record<string, unknown>
}

/** The session with which core would complete a cart; none for a cart that costs nothing. */
export async function findSessionToComplete(container: MedusaContainer, cartId: string) {
  const [cart] = await readGraph<{
    total: unknown
    payment_collection?: { payment_sessions?: SessionOfCart[] } | null
  }>(container, {
    entity: "cart",
    fields: ["id", "total", "payment_collection.payment_sessions.*"],
    filters: { id: cartId },
  })
  const sessions = cart?.payment_collection?.payment_sessions ?? []
  const first = sessions.find(({ status }) => isOpenSession(status) || isAuthorizedSession(status))
  return first && Number(cart?.total) > 0 ? first : null
}

interface Sold {
  sales_channel_id: string | null
  shipping_address?: { country_code: string | null } | null
  billing_address?: { country_code: string | null } | null
  region?: { countries?: { iso_2: string }[] } | null
}

/**
 * The sales channel and country of an order, or of a cart that is none yet: they decide to which storefront the payer returns. Of
 * a digital cart, which has no shipping address, it is the country of the bill, else the first one of its region.
 */
export async function findSalesChannelAndCountry(
  container: MedusaContainer,
  { order_id: orderId, cart_id: cartId }: { order_id: string | null; cart_id: string | null }
) {
  const fields = [
    "sales_channel_id",
    "shipping_address.country_code",
    "billing_address.country_code",
    "region.countries.iso_2",
  ]
  const [entity, id] = orderId ? ["order", orderId] : ["cart", cartId]
  const [sold] = id ? await readGraph<Sold>(container, { entity, fields, filters: { id } }) : []
  return {
    salesChannelId: sold?.sales_channel_id ?? null,
    countryCode:
      sold?.shipping_address?.country_code ??
      sold?.billing_address?.country_code ??
      sold?.region?.countries?.[0]?.iso_2 ??
      null,
  }
}
