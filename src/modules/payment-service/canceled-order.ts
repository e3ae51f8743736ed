import { OrderStatus } from "@medusajs/framework/utils"

/** An order that was canceled stays so when it is archived: its status says another thing then. */
export function isOrderCanceled(order: { status: OrderStatus; canceled_at?: unknown }): boolean {
  return order.status === OrderStatus.CANCELED || Boolean(order.canceled_at)
}
