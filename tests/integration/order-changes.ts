import type { Admin } from "./admin"
import type { TestStore } from "./store"

/** An administrator's changes of an order after its items were sent, as the dashboard makes them. */

async function post(admin: Admin, address: string, body: unknown = {}) {
  const { status, data } = await admin.post(address, body)
  if (status !== 200) throw new Error(`${address} answered ${status}: ${JSON.stringify(data)}`)
  return data
}

async function firstItem(admin: Admin, orderId: string): Promise<{ id: string; quantity: number }> {
  const { data } = await admin.get(`/admin/orders/${orderId}?fields=*items`)
  const [item] = (data.order as { items: { id: string; quantity: number }[] }).items
  if (!item) throw new Error(`Order ${orderId} has no items`)
  return item
}

/** Only what was sent can come back. */
export async function sendFirstItem(admin: Admin, orderId: string): Promise<void> {
  const { id, quantity } = await firstItem(admin, orderId)
  await post(admin, `/admin/orders/${orderId}/fulfillments`, { items: [{ id, quantity }] })
}

/** @returns the id of the return */
export async function requestReturn(admin: Admin, orderId: string, quantity = 1): Promise<string> {
  const { id: itemId } = await firstItem(admin, orderId)
  const { data: places } = await admin.get("/admin/stock-locations")
  const [place] = places.stock_locations as { id: string }[]
  const data = await post(admin, "/admin/returns", { order_id: orderId, location_id: place?.id })
  const { id } = data.return as { id: string }
  await post(admin, `/admin/returns/${id}/request-items`, { items: [{ id: itemId, quantity }] })
  await post(admin, `/admin/returns/${id}/request`)
  return id
}

export async function receiveReturn(admin: Admin, orderId: string, id: string): Promise<void> {
  const item = await firstItem(admin, orderId)
  await post(admin, `/admin/returns/${id}/receive`)
  await post(admin, `/admin/returns/${id}/receive-items`, { items: [{ id: item.id, quantity: 1 }] })
  await post(admin, `/admin/returns/${id}/receive/confirm`)
}

export async function cancelReturn(admin: Admin, id: string): Promise<void> {
  await post(admin, `/admin/returns/${id}/cancel`)
}

/** One of the first item comes back, and `quantity` of a variant are sent for it. */
export async function exchange(
  admin: Admin,
  orderId: string,
  outbound: { variant_id: string | undefined; quantity: number }
): Promise<string> {
  const { id: itemId } = await firstItem(admin, orderId)
  const data = await post(admin, "/admin/exchanges", { order_id: orderId })
  const { id } = data.exchange as { id: string }
  await post(admin, `/admin/exchanges/${id}/inbound/items`, {
    items: [{ id: itemId, quantity: 1 }],
  })
  await post(admin, `/admin/exchanges/${id}/outbound/items`, { items: [outbound] })
  await post(admin, `/admin/exchanges/${id}/request`)
  return id
}

/** One of the first item is broken and on its way back; `replacement` is sent for it, or nothing. */
export async function claim(
  admin: Admin,
  orderId: string,
  replacement: { variant_id: string | undefined; quantity: number } | null
): Promise<string> {
  const { id: itemId } = await firstItem(admin, orderId)
  const type = replacement ? "replace" : "refund"
  const data = await post(admin, "/admin/claims", { order_id: orderId, type })
  const { id } = data.claim as { id: string }
  const items = [{ id: itemId, quantity: 1 }]
  await post(admin, `/admin/claims/${id}/claim-items`, { items })
  await post(admin, `/admin/claims/${id}/inbound/items`, { items })
  if (replacement) {
    await post(admin, `/admin/claims/${id}/outbound/items`, { items: [replacement] })
  }
  await post(admin, `/admin/claims/${id}/request`)
  return id
}

/** A gift of the shop, which lowers what the order is worth. */
export async function addCredit(admin: Admin, orderId: string, amount: number): Promise<void> {
  await post(admin, `/admin/orders/${orderId}/credit-lines`, {
    amount,
    reference: "goodwill",
    reference_id: "goodwill",
  })
}

/** The dashboard's way to say that an order was paid in another way. */
export async function markAsPaid(admin: Admin, orderId: string, amount: number): Promise<void> {
  const data = await post(admin, "/admin/payment-collections", { order_id: orderId, amount })
  const { id } = data.payment_collection as { id: string }
  await post(admin, `/admin/payment-collections/${id}/mark-as-paid`, { order_id: orderId })
}

/** An order that an administrator writes down; what it owes is asked for by a payment link. */
export async function draftOrder(
  admin: Admin,
  { regionId, variantIds }: TestStore["shop"],
  quantity = 1
): Promise<string> {
  const data = await post(admin, "/admin/draft-orders", {
    email: "by-phone@shopper.test",
    region_id: regionId,
    items: [{ variant_id: variantIds[1], quantity }],
    shipping_address: { country_code: "ru", city: "Москва", address_1: "Тверская 1" },
  })
  return (data.draft_order as { id: string }).id
}
