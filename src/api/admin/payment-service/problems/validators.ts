import { z } from "@medusajs/framework/zod"

import { PROBLEMS_SORTED_BY } from "../../../../modules/payment-service/problem-list"
import { isStorable } from "../../../../modules/payment-service/sql"
import { withoutCardNumbers } from "../../../../settlement/payouts/card-text"
import { PROBLEM_KINDS } from "../../../../settlement/problems"
import { oneOrMany, oneOrManyOf, paging, SearchText, sortedBy } from "../query-fields"

export type ProblemsQuery = z.output<typeof ProblemsQuery>
/** Selects problems; by default all, newest first. */
export const ProblemsQuery = z.strictObject({
  /** An order's number, an e-mail address, an amount, or an id: of a transaction, session, cart, order, customer or problem. */
  q: SearchText,
  id: oneOrMany(z.string().max(64)).optional(),
  status: z.enum(["open", "closed"]).optional(),
  kind: oneOrManyOf("kind", PROBLEM_KINDS).optional(),
  account: oneOrMany(z.string().max(64)).optional(),
  transaction_id: z.string().optional(),
  transaction_row_id: z.string().optional(),
  cart_id: z.string().optional(),
  order_id: z.string().optional(),
  customer_id: z.string().optional(),
  order: sortedBy(PROBLEMS_SORTED_BY, "-opened_at"),
  ...paging,
})

/** A note on what was done, for later readers. */
const Note = z
  .string({ error: "must say what was done" })
  .trim()
  .min(1, "must say what was done")
  .max(2_000)
  .refine(isStorable, "must be a text")
  // Notes are stored, and Medusa's refund repeats them.
  .transform(withoutCardNumbers)

/** No sum of money has more characters. */
const LONGEST_AMOUNT = 100
const NOT_AN_AMOUNT = { error: "must be an amount" }

/** A sum of money: decimal text, or a number. */
const Amount = z
  .union([
    z.number(),
    z
      .string()
      .max(LONGEST_AMOUNT, NOT_AN_AMOUNT)
      .regex(/^\d+(\.\d+)?$/, NOT_AN_AMOUNT),
  ])
  .transform(String)

export type AcceptBody = z.output<typeof AcceptBody>
/** The sums that the admin saw: the paid one and the cart's total. The request is refused when they have changed. */
export const AcceptBody = z.strictObject({
  amount: Amount.optional(),
  cart_total: Amount.optional(),
})

export type RefundBody = z.output<typeof RefundBody>
/** The way and the sum in which the money went back. The request is refused when the problem has another sum by now. */
export const RefundBody = z.strictObject({ note: Note, amount: Amount.optional() })

export type HandleBody = z.output<typeof HandleBody>
/** `amount` is the problem's sum that the admin saw. The request is refused when it is another one by now. */
export const HandleBody = z.strictObject({ note: Note, amount: Amount.optional() })
