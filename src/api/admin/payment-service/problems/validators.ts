import { z } from "@medusajs/framework/zod"

import { withoutCardNumbers } from "../../../../settlement/payouts/card-text"
import { PROBLEM_KINDS } from "../../../../settlement/problems"
import { oneOrMany, paging } from "../query-fields"

export type ProblemsQuery = z.output<typeof ProblemsQuery>
/** Which problems: all, newest first, unless filters say otherwise. */
export const ProblemsQuery = z.strictObject({
  status: z.enum(["open", "closed"]).optional(),
  kind: oneOrMany(z.enum(PROBLEM_KINDS)).optional(),
  account: oneOrMany(z.string().max(64)).optional(),
  transaction_id: z.string().optional(),
  transaction_row_id: z.string().optional(),
  cart_id: z.string().optional(),
  order_id: z.string().optional(),
  customer_id: z.string().optional(),
  ...paging,
})

export type NoteBody = z.output<typeof NoteBody>
/** Tells whoever looks at it later what was done. */
export const NoteBody = z.strictObject({
  note: z
    .string({ error: "must say what was done" })
    .trim()
    .min(1, "must say what was done")
    .max(2_000)
    // Notes are kept, and Medusa's refund repeats them.
    .transform(withoutCardNumbers),
})

export type RecordBody = z.output<typeof RecordBody>
/** A note is not needed: the payouts say how the money went back. */
export const RecordBody = z.strictObject({ note: NoteBody.shape.note.optional() })

/** A sum of money: decimal text, or a number. */
const Amount = z
  .union([z.number(), z.string().regex(/^\d+(\.\d+)?$/, { error: "must be an amount" })])
  .transform(String)

export type AcceptBody = z.output<typeof AcceptBody>
/** The sums that the admin saw: the paid one and the cart's total. Refused when they are others by now. */
export const AcceptBody = z.strictObject({
  amount: Amount.optional(),
  cart_total: Amount.optional(),
})

export type RefundBody = z.output<typeof RefundBody>
/** How the money went back, and how much of it: refused when the problem is about another sum by now. */
export const RefundBody = NoteBody.extend({
  amount: Amount.optional(),
})
