import { z } from "zod"

import { isTimeZone } from "../../settlement/local-days"
import { LARGEST_PAYOUT, SMALLEST_PAYOUT } from "../../settlement/payouts/payout"

export const trueOrFalse = () => z.boolean({ error: "must be true or false" })

/** The message for a section that is missing or not an object; `parse` makes the one for unknown keys. */
export const sectionError = (example: string) => (issue: { code?: string }) =>
  issue.code === "invalid_type" ? `must be given as ${example}` : undefined

const rubles = () =>
  z
    .number({ error: "must be a number of whole rubles" })
    .int("must be a number of whole rubles")
    .min(SMALLEST_PAYOUT, `must be at least ${SMALLEST_PAYOUT}, the smallest payout`)

/** The store's rules for payouts. Only the configuration file changes them. */
export const payoutOptions = z
  .strictObject(
    {
      enabled: trueOrFalse().default(true),
      approval: trueOrFalse().default(false),
      perPayout: rubles()
        .max(LARGEST_PAYOUT, `must be at most ${LARGEST_PAYOUT}, the largest payout`)
        .default(LARGEST_PAYOUT),
      perDay: rubles().optional(),
      timeZone: z
        .string({ error: "must be a time zone such as Europe/Moscow" })
        .refine(isTimeZone, "must be a time zone such as Europe/Moscow")
        .default("UTC"),
      users: z
        .array(z.string().trim().min(1, "must be an admin's e-mail address or id"), {
          error: 'must be a list of admins by e-mail address or id, for example ["anna@shop.ru"]',
        })
        .optional(),
    },
    { error: sectionError("payouts: { perDay: 300000, … }") }
  )
  .prefault({})
