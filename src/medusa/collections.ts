import type { MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { exactAmount } from "../settlement/amount"
import { toSumOfSession } from "./sessions"

/** A payment collection: a sum that is paid together, for a cart or for (a part of) an order. */
export interface Collection {
  id: string
  /** Decimal text. */
  amount: string
  /** Whether its status says that nothing was paid into it yet. */
  isUnpaid: boolean
  /** Whether it has a payment that was not canceled. */
  isPaidInto: boolean
}

export async function listCollections(
  container: MedusaContainer,
  ids: string[]
): Promise<Collection[]> {
  const collections = await container
    .resolve(Modules.PAYMENT)
    .listPaymentCollections({ id: ids }, { relations: ["payments"] })
  return collections.map(({ id, status, payments = [], ...sum }) => ({
    id,
    amount: exactAmount(sum),
    isUnpaid: status === "not_paid" || status === "awaiting",
    isPaidInto: payments.some(({ canceled_at }) => !canceled_at),
  }))
}

/** A collection and its sessions, without their payments. Amounts are decimal text. */
export interface CollectionWithSessions {
  id: string
  amount: string
  currency: string
  sessions: ReturnType<typeof toSumOfSession>[]
}

/** @throws MedusaError `NOT_FOUND` */
export async function findCollection(
  container: MedusaContainer,
  id: string
): Promise<CollectionWithSessions> {
  const collection = await container
    .resolve(Modules.PAYMENT)
    .retrievePaymentCollection(id, { relations: ["payment_sessions"] })
  return {
    id,
    amount: exactAmount(collection),
    currency: collection.currency_code,
    sessions: (collection.payment_sessions ?? []).map(toSumOfSession),
  }
}
