import type { OrderMoney } from "../medusa/order-money"
import { refusedPayment } from "../modules/payment-service/refused-deed"
import type { Ports } from "./ports"

/** A payment session with its account, and the cart and the order that its collection belongs to. */
export type SessionOrigin = Awaited<ReturnType<typeof findSessionOrigin>>

/**
 * Finds the cart or order of a session. Everything is read on the server: no data from a browser decides who pays, for what, or
 * through which account.
 *
 * @throws MedusaError `NOT_FOUND` when the session does not exist, `NOT_ALLOWED` when its order does not
 */
export async function findSessionOrigin({ medusa }: Ports, sessionId: string, method: string) {
  const subject = await medusa.findSessionSubject(sessionId)
  if (!subject) throw refusedPayment("session_gone", { session: sessionId })
  const { providerId, collectionId, cartId, orderId, storeName } = subject
  const order: Pick<OrderMoney, "id" | "isCanceled" | "owed" | "collectionIds"> | null = orderId
    ? await medusa.findOrderMoney(collectionId)
    : null
  // Core rolls back an order that fails at its end, but a payment link may have been made for it before that.
  if (orderId && !cartId && !order) throw refusedPayment("order_not_placed")
  return {
    sessionId,
    providerId,
    /** The provider entry's `id`, which is the account at the service. */
    account: providerId.slice(`pp_${method}_`.length),
    paymentCollectionId: collectionId,
    cartId,
    order,
    storeName,
  }
}
