import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { exactAmount } from "../settlement/amount"

/** Payment collections: sums that are paid together, for a cart or for (a part of) an order. */
export async function listCollections(container: MedusaContainer, ids: string[]) {
  const collections = await container
    .resolve(Modules.PAYMENT)
    .listPaymentCollections({ id: ids }, { relations: ["payments"] })
  return collections.map(({ id, status, payments = [], ...sum }) => ({
    id,
    /** Decimal text. */
    amount: exactAmount(sum),
    /** Whether its status says that nothing was paid into it yet. */
    isUnpaid: status === "not_paid" || status === "awaiting",
    /** Whether it has a payment that was not canceled. */
    isPaidInto: payments.some(({ canceled_at }) => !canceled_at),
  }))
}
