import type { RemoteQueryFunction } from "@medusajs/framework/types"

import type { AmountInput } from "../../settlement/amount"
import type { MedusaState } from "../../settlement/evidence"

interface CartRecord {
  id: string
  total: AmountInput
  currency_code: string
}

/** The cart that a payment collection is for and what it is worth now, or null when it is no cart's. */
export async function findCart(
  query: RemoteQueryFunction,
  paymentCollectionId: string
): Promise<MedusaState["cart"]> {
  const links = await query.graph({
    entity: "cart_payment_collection",
    fields: ["cart_id"],
    filters: { payment_collection_id: paymentCollectionId },
  })
  const id = (links.data[0] as { cart_id: string } | undefined)?.cart_id
  if (!id) {
    return null
  }
  const { data } = await query.graph({
    entity: "cart",
    fields: ["id", "total", "currency_code"],
    filters: { id },
  })
  const cart = data[0] as CartRecord | undefined
  return cart ? { id: cart.id, total: cart.total, currency: cart.currency_code } : null
}
