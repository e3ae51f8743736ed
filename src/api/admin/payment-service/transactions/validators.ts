import { z } from "@medusajs/framework/zod"

import { LISTED_STANDINGS, SORTED_BY } from "../../../../modules/payment-service/transaction-list"
import {
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATES,
} from "../../../../settlement/transaction-state"
import { WHOLE_UUID } from "../../../../service/uuid"
import { Moment, oneOrMany, oneOrManyOf, paging, SearchText, sortedBy } from "../query-fields"

const STANDINGS = Object.keys(LISTED_STANDINGS) as (keyof typeof LISTED_STANDINGS)[]

/** The filters and the order of the list of our transactions. */
export const transactionFilters = {
  /** An order's number, an e-mail address, an amount, our id, the id of a customer, or the id (or its beginning) of a
   * transaction, session, cart or order. */
  q: SearchText,
  state: oneOrManyOf("state", TRANSACTION_STATES).optional(),
  standing: oneOrManyOf("standing", STANDINGS).optional(),
  /** The service's last word for it, as the service writes it; longer ones are cut where they are stored. */
  status: oneOrMany(z.string().min(1).max(200)).optional(),
  exception: oneOrManyOf("exception", TRANSACTION_EXCEPTIONS).optional(),
  method: oneOrMany(z.string()).optional(),
  account: oneOrMany(z.string()).optional(),
  /** The time of opening: since `from`, before `to`. */
  from: Moment.optional(),
  to: Moment.optional(),
  /** The same for the time when a read first showed it paid. */
  paid_from: Moment.optional(),
  paid_to: Moment.optional(),
  cart_id: z.string().optional(),
  order_id: z.string().optional(),
  customer_id: z.string().optional(),
  order: sortedBy(SORTED_BY, "-opened_at"),
}

export type IdentifyBody = z.output<typeof IdentifyBody>
export const IdentifyBody = z.strictObject({
  transaction_id: z
    .string()
    .trim()
    .regex(WHOLE_UUID, { error: "must be the service's id of a transaction, a UUID" }),
})

export type TransactionsQuery = z.output<typeof TransactionsQuery>
export const TransactionsQuery = z.strictObject({ ...transactionFilters, ...paging })
