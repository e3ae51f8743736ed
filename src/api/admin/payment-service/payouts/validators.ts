import { z } from "@medusajs/framework/zod"

import { PAYOUTS_SORTED_BY } from "../../../../modules/payment-service/payout-list"
import { isStorable } from "../../../../modules/payment-service/sql"
import { WHOLE_UUID } from "../../../../service/uuid"
import { withoutCardNumbers } from "../../../../settlement/payouts/card-text"
import { PAYOUT_STATES } from "../../../../settlement/payouts/payout"
import {
  Moment,
  oneOrMany,
  oneOrManyOf,
  paging,
  SearchText,
  sortedBy,
  TrueOrFalse,
} from "../query-fields"

/** The filters and the order of the list of payouts. */
export const payoutFilters = {
  /** An order's number, an amount, last digits of a card, words of a note, a maker's name, or an id. */
  q: SearchText,
  state: oneOrManyOf("state", PAYOUT_STATES).optional(),
  account: oneOrMany(z.string()).optional(),
  order_id: oneOrMany(z.string()).optional(),
  problem_id: oneOrMany(z.string()).optional(),
  transaction_row_id: oneOrMany(z.string()).optional(),
  made_by: oneOrMany(z.string()).optional(),
  /** The time of making: since `gte`, before `lt`. */
  created_at: z.strictObject({ gte: Moment.optional(), lt: Moment.optional() }).optional(),
  order: sortedBy(PAYOUTS_SORTED_BY, "-created_at"),
}

export type PayoutsQuery = z.output<typeof PayoutsQuery>
export const PayoutsQuery = z.strictObject({
  ...payoutFilters,
  with_totals: TrueOrFalse.optional(),
  ...paging,
})

export type CardsQuery = z.output<typeof CardsQuery>
export const CardsQuery = z.strictObject({
  only_active: TrueOrFalse.default(true),
  account: z.string().max(100).optional(),
})

// Every message is ours, because zod's own may repeat the input.
const text = (most: number) =>
  z
    .string({ error: "must be a text" })
    .trim()
    .max(most, "is too long")
    .refine(isStorable, "must be a text")
const id = () =>
  text(100)
    .min(1, "must not be empty")
    .refine((value) => withoutCardNumbers(value) === value, "must be an id")
const flag = () => z.boolean({ error: "must be true or false" })
const rubles = () => z.number({ error: "must be a number of whole rubles" })
const cardId = () => text(100).regex(WHOLE_UUID, "must be the id of a saved card").nullable()
const seenNumber = () => z.number({ error: "must be a number" }).nullable().default(null)
const note = () =>
  text(2_000)
    .nullable()
    .transform((written) => written || null)

export const NewPayoutBody = z.strictObject({
  card_id: cardId().default(null),
  amount: rubles(),
  note: note().default(null),
  order_id: id().nullable().default(null),
  problem_id: id().nullable().default(null),
  account: id().nullable().default(null),
  confirm_similar: flag().default(false),
})

export const EditBody = z.strictObject({
  card_id: cardId().optional(),
  amount: rubles().optional(),
  note: note().optional(),
  confirm_similar: flag().default(false),
})

export const SendBody = z.strictObject({
  card_number: text(64)
    .nullable()
    .transform((typed) => typed || null)
    .default(null),
  again: flag().default(false),
  confirm_similar: flag().default(false),
  revision: seenNumber(),
})

export const ApproveBody = z.strictObject({ revision: seenNumber() })

export const MarkBody = z.strictObject({
  sent: flag(),
  note: text(2_000).min(1, "must say what was found"),
  /** The number of requests when the admin looked. */
  attempts: seenNumber(),
})
