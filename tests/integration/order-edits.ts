import type { SeededShop } from "../../demo/seed"
import type { Admin } from "./admin"

/** An administrator edits an order: adds some of the other item, takes that away again, or takes away its first item or some of it. */
export async function editOrder(
  { shop }: { shop: SeededShop },
  admin: Admin,
  orderId: string,
  change: { add: number } | { keep: number } | "take away" | "take back"
): Promise<void> {
  await admin.post("/admin/order-edits", { order_id: orderId })
  if (typeof change === "string" || "keep" in change) {
    const quantity = typeof change === "string" ? 0 : change.keep
    const { data } = await admin.get(`/admin/orders/${orderId}?fields=items.id,items.variant_id`)
    const { items } = data.order as { items: { id: string; variant_id: string }[] }
    const isOther = (one: { variant_id: string }) => one.variant_id === shop.variantIds[1]
    const item = change === "take back" ? items.findLast(isOther) : items[0]
    await admin.post(`/admin/order-edits/${orderId}/items/item/${item?.id ?? ""}`, { quantity })
  } else {
    await admin.post(`/admin/order-edits/${orderId}/items`, {
      items: [{ variant_id: shop.variantIds[1], quantity: change.add }],
    })
  }
  const { status } = await admin.post(`/admin/order-edits/${orderId}/confirm`)
  if (status !== 200) throw new Error(`The edit of order ${orderId} answered ${status}`)
}
