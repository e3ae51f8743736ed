import type { MedusaContainer } from "@medusajs/framework/types"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"

import { refusedPayment } from "../refusals/refused"
import { compareSums, isOwed } from "../values/amount"
import type { OrderMoney } from "./order"
import { listCollections } from "./payments"

/**
 * Chooses the collection of an order in which a payment is opened: the requested one or, if that has a payment already, the one
 * for the rest. In a paid one, core would ask for its whole amount again, and delete the session that was paid.
 *
 * @param askedFor id of the collection in the request
 * @throws MedusaError `NOT_ALLOWED` when the order is not owed anything any more
 */
export async function collectionToPay(
  container: MedusaContainer,
  order: Pick<OrderMoney, "id" | "owed" | "collectionIds">,
  askedFor: string
): Promise<string> {
  const collections = await listCollections(container, order.collectionIds)
  return collections.some(({ id, isPaidInto }) => id === askedFor && isPaidInto)
    ? await collectionForRest(container, order)
    : askedFor
}

/**
 * Finds or makes the collection for the sum that an order is still owed, for example because it was edited while it was paid.
 * Core makes a similar one when a paid order is edited.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order is not owed anything any more
 */
export async function collectionForRest(
  container: MedusaContainer,
  order: Pick<OrderMoney, "id" | "owed" | "collectionIds">
): Promise<string> {
  if (!isOwed(order.owed)) throw refusedPayment("order_paid")
  const collections = await listCollections(container, order.collectionIds)
  const rest = collections.find(
    ({ isPaidInto, isUnpaid, amount }) =>
      !isPaidInto &&
      isUnpaid &&
      compareSums(amount, "0") > 0 &&
      compareSums(amount, order.owed) <= 0
  )
  if (rest) return rest.id
  const { result } = await createOrderPaymentCollectionWorkflow(container).run({
    input: { order_id: order.id, amount: Number(order.owed) },
  })
  const [made] = result
  if (!made) throw refusedPayment("no_collection_for_rest")
  return made.id
}
