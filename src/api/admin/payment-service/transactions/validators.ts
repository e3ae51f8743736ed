import { z } from "@medusajs/framework/zod"

import { type Page, SORTED_BY } from "../../../../modules/payment-service/transaction-list"
import {
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATES,
} from "../../../../settlement/transaction-state"

const MOST = 200
const LONGEST_SEARCH = 200

/** One value or several: `state=paid`, `state[]=paid&state[]=expired`. */
const oneOrMany = <Schema extends z.ZodType>(schema: Schema) =>
  z
    .union([schema, z.array(schema).min(1).max(50)])
    .transform((value) => [value].flat() as z.output<Schema>[])

const Moment = z.iso
  .datetime({ offset: true, error: "`from` and `to` must be dates and times in ISO 8601" })
  .transform((text) => new Date(text))

const SORTS = Object.keys(SORTED_BY) as Page["by"][]

/** What narrows the list of our transactions. */
export const TransactionFilters = {
  /** An order's number, an e-mail address, an amount, or an id: of a transaction, session, cart, order or customer. */
  q: z.string().trim().max(LONGEST_SEARCH).optional(),
  state: oneOrMany(z.enum(TRANSACTION_STATES)).optional(),
  exception: oneOrMany(z.enum(TRANSACTION_EXCEPTIONS)).optional(),
  method: oneOrMany(z.string()).optional(),
  account: oneOrMany(z.string()).optional(),
  /** When it was opened: since `from`, before `to`. */
  from: Moment.optional(),
  to: Moment.optional(),
  cart_id: z.string().optional(),
  order_id: z.string().optional(),
  customer_id: z.string().optional(),
  /** A column, with `-` before it for the largest or latest first. */
  order: z.enum([...SORTS, ...SORTS.map((column) => `-${column}` as const)]).default("-opened_at"),
}

/** How `order` sorts. */
export function sortOf(order: TransactionsQuery["order"]): Pick<Page, "by" | "descending"> {
  return { by: order.replace("-", "") as Page["by"], descending: order.startsWith("-") }
}

export type TransactionsQuery = z.output<typeof TransactionsQuery>
export const TransactionsQuery = z.strictObject({
  ...TransactionFilters,
  limit: z.coerce.number().int().min(1).max(MOST).default(20),
  offset: z.coerce.number().int().min(0).max(1_000_000).default(0),
})
