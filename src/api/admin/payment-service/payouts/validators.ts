import { z } from "@medusajs/framework/zod"

import { isStorable } from "../../../../database/sql"
import { withoutCardNumbers } from "../../../../payouts/rules/card-text"
import { WHOLE_UUID } from "../../../../service/schemas"

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
/** A number of the payout as the admin saw it: what they did not see, they do not decide. */
const seenNumber = (error: string) => z.number({ error })
const revision = seenNumber("must be the payout's revision that was seen")
/** Scripts may send it, and it changes nothing: the dashboard asks about a second payout of a kind, and no route does. */
const confirm_similar = flag().optional()
/** A card number, where the card is typed. */
const cardNumber = () =>
  text(64)
    .nullable()
    .transform((typed) => typed || null)
    .default(null)
const note = () =>
  text(2_000)
    .nullable()
    .transform((written) => written || null)

export const NewPayoutBody = z.strictObject({
  card_id: cardId().default(null),
  card_number: cardNumber(),
  amount: rubles(),
  note: note().default(null),
  order_id: id().nullable().default(null),
  problem_id: id().nullable().default(null),
  account: id().nullable().default(null),
  confirm_similar,
})

export const EditBody = z.strictObject({
  card_id: cardId().optional(),
  card_number: cardNumber(),
  amount: rubles().optional(),
  note: note().optional(),
  revision: revision.optional(),
  confirm_similar,
})

export const SendBody = z.strictObject({
  card_number: cardNumber(),
  again: flag().default(false),
  confirm_similar,
  revision,
})

export const StopBody = z.strictObject({ stopped: flag() })

export const ApproveBody = z.strictObject({ revision, card_number: cardNumber() })

export const MarkBody = z.strictObject({
  sent: flag(),
  note: text(2_000).min(1, "must say what was found"),
  /** The number of requests when the admin looked. */
  attempts: seenNumber("must be the payout's attempts that were seen"),
})
