import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { createOrUpdateOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"

import { type AmountInput, compareAmounts } from "../../settlement/amount"

/** Statuses of a collection that nothing was paid into yet. */
const UNPAID = new Set(["not_paid", "awaiting"])

interface CollectionRecord {
  id: string
  status: string
  amount: AmountInput
  payments?: { canceled_at: unknown }[]
}

/**
 * In which of an order's collections a payment that is asked for in one of them is opened. A collection that
 * has got a payment takes no other: core would ask for its whole amount again, and delete the session that was
 * paid. What the order is owed beside it, because it was edited while it was paid for example, has a
 * collection of its own, which is made here as core makes it when a paid order is edited.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order is not owed anything any more
 */
export async function collectionToPay(
  container: MedusaContainer,
  order: { id: string; owed: AmountInput; collectionIds: string[] },
  askedFor: string
): Promise<string> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "payment_collection",
    fields: ["id", "status", "amount", "payments.canceled_at"],
    filters: { id: order.collectionIds },
  })
  const collections = data as CollectionRecord[]
  const isPaidInto = ({ payments = [] }: CollectionRecord) =>
    payments.some(({ canceled_at }) => !canceled_at)
  if (!collections.some((collection) => collection.id === askedFor && isPaidInto(collection))) {
    return askedFor
  }
  const rest = collections.find(
    (collection) =>
      !isPaidInto(collection) &&
      UNPAID.has(collection.status) &&
      compareAmounts(collection.amount, "0") > 0 &&
      compareAmounts(collection.amount, order.owed) <= 0
  )
  if (rest) {
    return rest.id
  }
  const { result } = await createOrUpdateOrderPaymentCollectionWorkflow(container).run({
    input: { order_id: order.id },
  })
  const [made] = result as ({ id: string } | undefined)[]
  if (!made) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "This order is paid already. Please do not pay again."
    )
  }
  return made.id
}
