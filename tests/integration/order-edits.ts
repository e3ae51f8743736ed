import type { SeededShop } from "../../demo/seed"
import type { Admin } from "./admin"

/** An administrator edits an order: adds some of the other item, or takes away its first item or some of it. */
export async function editOrder(
  { shop }: { shop: SeededShop },
  admin: Admin,
  orderId: string,
  change: { add: number } | { keep: number } | "take away"
): Promise<void> {
  await admin.post("/admin/order-edits", { order_id: orderId })
  if (change === "take away" || "keep" in change) {
    const quantity = change === "take away" ? 0 : change.keep
    const { data } = await admin.get(`/admin/orders/${orderId}?fields=items.id`)
    const [item] = (data.order as { items: { id: string }[] }).items
    await admin.post(`/admin/order-edits/${orderId}/items/item/${item?.id ?? ""}`, { quantity })
  } else {
    await admin.post(`/admin/order-edits/${orderId}/items`, {
      items: [{ variant_id: shop.variantIds[1], quantity: change.add }],
    })
  }
  const { status } = await admin.post(`/admin/order-edits/${orderId}/confirm`)
  if (status !== 200) throw new Error(`The edit of order ${orderId} answered ${status}`)
}
