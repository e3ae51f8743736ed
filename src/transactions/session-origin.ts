import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"

import { type Buyer, findBuyer, findStoreName } from "../medusa/buyer"
import { findCartId } from "../medusa/links"
import { findOrderToPay, type OrderToPay } from "../medusa/order"
import { findSessionTarget } from "../medusa/sessions"
import type { AccountOptions } from "../modules/payment-service"

/** A payment session and what its collection is for. */
export interface SessionOrigin {
  sessionId: string
  providerId: string
  /** The provider entry's `id`, which is the account at the service. */
  account: string
  paymentCollectionId: string
  cartId: string | null
  order: Omit<OrderToPay, "isPaid" | "owedWithout"> | null
}

/** Who pays, and what a description may name. What the options do not ask for is empty. */
export interface PaymentDetails extends Buyer {
  storeName: string
}

/**
 * Looks up where a session comes from. All of it is read on the server: nothing that a browser sent
 * decides who pays, for what, or through which account.
 *
 * @throws MedusaError `NOT_FOUND` when the session does not exist
 */
export async function findSessionOrigin(
  container: MedusaContainer,
  sessionId: string,
  method: string
): Promise<SessionOrigin> {
  const session = await findSessionTarget(container, sessionId)
  if (!session) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, `Payment session ${sessionId} was not found`)
  }
  const { providerId, collectionId: paymentCollectionId } = session
  const [cartId, order] = await Promise.all([
    findCartId(container, paymentCollectionId),
    findOrderToPay(container, paymentCollectionId),
  ])
  const account = providerId.slice(`pp_${method}_`.length)
  return { sessionId, providerId, account, paymentCollectionId, cartId, order }
}

/** Reads only what the options have the service told. */
export async function findPaymentDetails(
  container: MedusaContainer,
  { cartId, order }: Pick<SessionOrigin, "cartId" | "order">,
  { description, payer }: Pick<AccountOptions, "description" | "payer">
): Promise<PaymentDetails> {
  const [buyer, storeName] = await Promise.all([
    findBuyer(
      container,
      { orderId: order?.id, cartId },
      { name: payer.name, items: description.includes("{items}") }
    ),
    description.includes("{store}") ? findStoreName(container) : "",
  ])
  return { ...buyer, storeName }
}
