import type { MedusaContainer } from "@medusajs/framework/types"
import { MedusaError } from "@medusajs/framework/utils"

import { type Buyer, findBuyer, findStoreName } from "../medusa/buyer"
import { findOrderToPay, type OrderToPay } from "../medusa/order"
import { findSession } from "../medusa/sessions"
import type { Accounts } from "../modules/payment-service"

/** A payment session and what its collection is for, as far as opening a transaction needs it. */
export interface SessionOrigin extends Omit<Buyer, "id"> {
  sessionId: string
  providerId: string
  /** The provider entry's `id`, which is the account at the service. */
  account: string
  paymentCollectionId: string
  cartId: string | null
  order: Omit<OrderToPay, "isPaid" | "owedWithout"> | null
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
  accounts: Accounts,
  sessionId: string,
  method: string
): Promise<SessionOrigin> {
  const session = await findSession(container, sessionId)
  if (!session) {
    throw new MedusaError(MedusaError.Types.NOT_FOUND, `Payment session ${sessionId} was not found`)
  }
  const { providerId, collectionId: paymentCollectionId } = session
  const account = providerId.slice(`pp_${method}_`.length)
  const { description } = accounts.get(account)
  // Only what the description names is read.
  const withItems = description.includes("{items}")
  const [cart, order, storeName] = await Promise.all([
    findBuyer(container, "cart", paymentCollectionId, withItems),
    findOrderToPay(container, paymentCollectionId),
    description.includes("{store}") ? findStoreName(container) : "",
  ])
  const { id: _, ...buyer } =
    (order ? await findBuyer(container, "order", paymentCollectionId, withItems) : cart) ?? NOBODY
  return {
    sessionId,
    providerId,
    account,
    paymentCollectionId,
    cartId: cart?.id ?? null,
    order,
    storeName,
    ...buyer,
  }
}

const NOBODY: Buyer = {
  id: "",
  customerId: null,
  isGuest: true,
  email: null,
  payerName: null,
  items: [],
}
