import type { MedusaContainer, RemoteQueryFunction } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, MedusaError } from "@medusajs/framework/utils"
import { createOrderPaymentCollectionWorkflow } from "@medusajs/medusa/core-flows"

import { type AmountInput, compareAmounts, toDecimalText } from "../../settlement/amount"
import { isOwed } from "../../settlement/order-balance"

/** Statuses of a collection that nothing was paid into yet. */
const UNPAID = new Set(["not_paid", "awaiting"])

interface CollectionRecord {
  id: string
  status: string
  amount: AmountInput
  payments?: { canceled_at: unknown }[]
}

interface OwedOrder {
  id: string
  /** What is still to be paid for it. */
  owed: AmountInput
  collectionIds: string[]
}

/**
 * In which of an order's collections a payment that is asked for in one of them is opened. A collection that
 * has got a payment takes no other: core would ask for its whole amount again, and delete the session that was
 * paid.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order is not owed anything any more
 */
export async function collectionToPay(
  container: MedusaContainer,
  order: OwedOrder,
  askedFor: string
): Promise<string> {
  const collections = await collectionsOf(container, order)
  return collections.some((collection) => collection.id === askedFor && isPaidInto(collection))
    ? await collectionForRest(container, order, collections)
    : askedFor
}

/**
 * What an order is owed beside what was paid, because it was edited while it was paid for example, has a
 * collection of its own: the one that there is, or a new one, as core makes it when a paid order is edited.
 *
 * @throws MedusaError `NOT_ALLOWED` when the order is not owed anything any more
 */
export async function collectionForRest(
  container: MedusaContainer,
  order: OwedOrder,
  collections?: CollectionRecord[]
): Promise<string> {
  if (!isOwed(order.owed)) {
    throw new MedusaError(
      MedusaError.Types.NOT_ALLOWED,
      "This order is paid already. Please do not pay again."
    )
  }
  const rest = (collections ?? (await collectionsOf(container, order))).find(
    (collection) =>
      !isPaidInto(collection) &&
      UNPAID.has(collection.status) &&
      compareAmounts(collection.amount, "0") > 0 &&
      compareAmounts(collection.amount, order.owed) <= 0
  )
  if (rest) {
    return rest.id
  }
  const { result } = await createOrderPaymentCollectionWorkflow(container).run({
    input: { order_id: order.id, amount: Number(toDecimalText(order.owed)) },
  })
  const [made] = result
  if (!made) {
    throw new MedusaError(
      MedusaError.Types.UNEXPECTED_STATE,
      "Medusa made no payment collection for the rest. Please try again."
    )
  }
  return made.id
}

async function collectionsOf(
  container: MedusaContainer,
  { collectionIds }: OwedOrder
): Promise<CollectionRecord[]> {
  const query = container.resolve<RemoteQueryFunction>(ContainerRegistrationKeys.QUERY)
  const { data } = await query.graph({
    entity: "payment_collection",
    fields: ["id", "status", "amount", "payments.canceled_at"],
    filters: { id: collectionIds },
  })
  return data as CollectionRecord[]
}

function isPaidInto({ payments = [] }: CollectionRecord): boolean {
  return payments.some(({ canceled_at }) => !canceled_at)
}
