import type {
  FilterableOrderProps,
  MedusaContainer,
  OrderChangeDTO,
  OrderDTO,
} from "@medusajs/framework/types"
import { Modules, OrderChangeType } from "@medusajs/framework/utils"

/** @param filters wider than core's type, which leaves out some filters that work */
export async function listOrders(
  container: MedusaContainer,
  filters: FilterableOrderProps | Record<string, unknown>,
  page: { take: number; skip: number } | null = null
) {
  const orders = await container.resolve(Modules.ORDER).listOrders(filters, {
    // Core sorts this array, and adds to it.
    select: [...ORDER_FIELDS],
    order: { id: "ASC" },
    ...page,
  })
  return orders.map(toOrder)
}

export const ORDER_FIELDS = [
  "id",
  "display_id",
  "status",
  "canceled_at",
  "currency_code",
  "metadata",
]

/** The key of `copiedFor` in an order's metadata. */
export const COPIED_FOR = "payment_service_copied_for"

/** An order, without its money. */
export function toOrder(order: OrderDTO) {
  const { id, display_id, currency_code, status, canceled_at, metadata } = order
  return {
    id,
    displayId: display_id,
    currency: currency_code,
    // An archived order keeps `canceled_at`, while its status no longer says that it was canceled.
    isCanceled: status === "canceled" || Boolean(canceled_at),
    /** The payment of ours (its row) for which this canceled order was copied to a new one; null before that. */
    copiedFor: (metadata?.[COPIED_FOR] as string | undefined) ?? null,
  }
}

/** Whether an edit, return, exchange, claim or transfer of the order is open; core then refuses any other change of it. */
export async function isBeingChanged(container: MedusaContainer, orderId: string) {
  return (await openChanges(container, orderId)).some(({ change_type }) => !isCredit(change_type))
}

/**
 * The open credits of an order: changes that lower its worth by what a refund paid back. A process is about to confirm them, or it
 * has died.
 */
export async function listOpenCredits(container: MedusaContainer, orderId: string) {
  const credits = (await openChanges(container, orderId)).filter((one) => isCredit(one.change_type))
  return credits.map(({ id, actions, created_at }) => ({
    id,
    /** Whether its amount is written, too; core writes that after the change. */
    hasAmount: actions.length > 0,
    /** The refund that it belongs to, if we opened it; null for core's own. */
    refundId: actions.find(({ reference }) => reference === REFUND_CREDIT)?.reference_id ?? null,
    since: new Date(created_at),
  }))
}

/** The reference of a credit that we opened; core's own have another one. */
export const REFUND_CREDIT = "refund"

const isCredit = (type: string | undefined) => type === OrderChangeType.CREDIT_LINE

/** The changes of an order that are not over. */
async function openChanges(container: MedusaContainer, orderId: string): Promise<OrderChangeDTO[]> {
  return await container
    .resolve(Modules.ORDER)
    .listOrderChanges(
      { order_id: orderId, status: ["pending", "requested"] },
      { select: ["id", "change_type", "created_at"], relations: ["actions"], take: null }
    )
}
