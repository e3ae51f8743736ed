import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderAndCartId } from "../../medusa/links"
import { paymentServiceModule, type TransactionRow } from "../../modules/payment-service"
import { holdingCart } from "./holding-cart"

/**
 * Runs `work` while nobody else, on any instance, changes what a transaction pays for: its cart, which stays
 * the key of the order that it becomes; an order without a cart; else the payment collection. All payments of
 * one order wait for each other, in whatever collection of it they are.
 *
 * @param work gets the row as loaded under the lock
 * @throws what `holdingCart` throws
 */
export async function holdingTarget<T>(
  container: MedusaContainer,
  row: TransactionRow,
  work: (row: TransactionRow) => Promise<T>,
  waitMs?: number
): Promise<T> {
  const module = paymentServiceModule(container)
  for (let awaited = row; ;) {
    const key = await targetOf(container, awaited)
    const done = await holdingCart(
      container,
      key,
      async () => {
        awaited = await module.transactions.get(row.id)
        // Meanwhile a person may have given the row another cart, or its collection has got a cart or an
        // order.
        return (await targetOf(container, awaited)) === key ? { result: await work(awaited) } : null
      },
      waitMs
    )
    if (done) {
      return done.result
    }
  }
}

/** What core's own workflows lock when they complete the cart, or change the order. */
async function targetOf(
  container: MedusaContainer,
  { cart_id, payment_collection_id }: TransactionRow
): Promise<string> {
  if (cart_id) {
    return cart_id
  }
  const { orderId, cartId } = await findOrderAndCartId(container, payment_collection_id)
  return cartId ?? orderId ?? payment_collection_id
}
