import { MedusaError } from "@medusajs/framework/utils"

import type { Buyer } from "../medusa/buyer"
import type { OrderToPay } from "../medusa/order"
import type { AccountOptions } from "../modules/payment-service"
import type { SessionId } from "../settlement/ids"
import type { Ports } from "./ports"

/** A payment session with its account and its payment collection. */
interface SessionTarget {
  sessionId: SessionId
  providerId: string
  /** The provider entry's `id`, which is the account at the service. */
  account: string
  paymentCollectionId: string
}

/** A payment session with the cart and the order that its collection belongs to. */
export interface SessionOrigin extends SessionTarget {
  cartId: string | null
  order: Omit<OrderToPay, "isPaid" | "owedWithout"> | null
}

/** The payer, and the facts that a description may contain. Fields that the options do not need are empty. */
export interface PaymentDetails extends Buyer {
  storeName: string
}

/** @throws MedusaError `NOT_FOUND` when the session does not exist */
export async function findSessionTarget(
  ports: Ports,
  sessionId: SessionId,
  method: string
): Promise<SessionTarget> {
  const session = await ports.medusa.findSessionTarget(sessionId)
  if (!session) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, `Payment session ${sessionId} was not found`)
  }
  const account = session.providerId.slice(`pp_${method}_`.length)
  return {
    sessionId,
    providerId: session.providerId,
    account,
    paymentCollectionId: session.collectionId,
  }
}

/**
 * Finds the cart or order of a session. Everything is read on the server: no data from a browser decides who pays, for what, or
 * through which account.
 *
 * @throws MedusaError `NOT_ALLOWED` when the session's order does not exist
 */
export async function findSessionOrigin(
  ports: Ports,
  target: SessionTarget
): Promise<SessionOrigin> {
  const { paymentCollectionId } = target
  const [cartId, order] = await Promise.all([
    ports.medusa.findCartId(paymentCollectionId),
    ports.medusa.findOrderToPay(paymentCollectionId),
  ])
  // Core rolls back an order that fails at its end, but a payment link may have been made for it before that.
  if (!cartId && !order && (await ports.medusa.findOrderId(paymentCollectionId))) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "This order was not placed, so it cannot be paid. Please order again."
    )
  }
  return { ...target, cartId, order }
}

/** Reads only the facts that the options send to the service. */
export async function findPaymentDetails(
  ports: Ports,
  { cartId, order }: Pick<SessionOrigin, "cartId" | "order">,
  { description, payer }: Pick<AccountOptions, "description" | "payer">
): Promise<PaymentDetails> {
  const [buyer, storeName] = await Promise.all([
    ports.medusa.findBuyer(
      { orderId: order?.id, cartId },
      { name: payer.name, items: description.includes("{items}") }
    ),
    description.includes("{store}") ? ports.medusa.findStoreName() : "",
  ])
  return { ...buyer, storeName }
}
