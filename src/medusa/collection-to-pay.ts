import type { MedusaContainer } from "@medusajs/framework/types"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"

import { refusedPayment } from "../refusals/refused"
import { compareSums } from "../values/amount"
import type { OrderMoney } from "./order"
import { listCollections } from "./payments"

/**
 * The collection of an order in which a payment is opened: the one that is asked for (null when none is) or, if that has a payment
 * already, the one for the rest, which is found or made. In a paid one, core would ask for its whole amount again, and delete the
 * session that was paid.
 */
export async function collectionToPay(
  container: MedusaContainer,
  order: Pick<OrderMoney, "id" | "owed" | "collectionIds">,
  askedFor: string | null
): Promise<string> {
  const collections = await listCollections(container, order.collectionIds)
  const isPaid = collections.some(({ id, isPaidInto }) => id === askedFor && isPaidInto)
  if (askedFor !== null && !isPaid) return askedFor
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
