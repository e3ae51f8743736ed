import * as fc from "fast-check"

import { WAYS_TO_ANSWER, type WayToAnswer } from "./remote-payouts"

/** What an admin does with a payout. */
export const DEEDS = [
  "approve",
  "send",
  "send again",
  "mark as sent",
  "mark as not sent",
  "edit",
  "discard",
] as const
export type Deed = (typeof DEEDS)[number]

/** What can happen around payouts. Numbers pick one of what there is, as in `Command`. */
export type PayoutCommand =
  /** For the open problem of this number, or for none. */
  | { do: "make payout"; problem: number | null; amount: number; isTyped: boolean; admin: number }
  /** Where `diesAfter` steps are said, the admin's process dies after them, and the admin tries again later. */
  | {
      do: "payout"
      payout: number
      deed: Deed
      admin: number
      number: number
      diesAfter: number | null
    }
  | { do: "answer payouts"; how: WayToAnswer; times: number; isConflicting: boolean }
  | { do: "look after payouts" }

const few = fc.nat({ max: 5 })
const admin = fc.nat({ max: 2 })

export const payoutCommand: fc.Arbitrary<PayoutCommand> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("make payout" as const),
      problem: fc.option(few, { freq: 5 }),
      amount: few,
      isTyped: fc.boolean(),
      admin,
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("payout" as const),
      payout: few,
      deed: fc.constantFrom(...DEEDS, "send" as const, "send" as const, "send again" as const),
      admin,
      number: fc.constantFrom(0, 0, 0, 1),
      diesAfter: fc.option(fc.nat({ max: 30 }), { freq: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("answer payouts" as const),
      how: fc.constantFrom(...WAYS_TO_ANSWER),
      times: fc.integer({ min: 1, max: 3 }),
      isConflicting: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("look after payouts" as const) }) }
)
