import * as fc from "fast-check"

import { WAYS_TO_ANSWER, type WayToAnswer } from "./remote-payouts"

/** An admin's deeds with a payout. */
const DEEDS = [
  "approve",
  "send",
  "send again",
  "mark as sent",
  "mark as not sent",
  "edit",
  "discard",
] as const
export type Deed = (typeof DEEDS)[number]

/** The steps of a story about payouts. Numbers pick one of the things that exist, as in `Command`. */
export type PayoutCommand =
  /** For the open problem of this number, else for the order of this number, or for neither. */
  | {
      do: "make payout"
      problem: number | null
      order: number | null
      amount: number
      isTyped: boolean
      admin: number
    }
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

/** `order` names the order for which a payout may be made as well. */
const commandsWith = (
  problem: fc.Arbitrary<number | null>,
  order: fc.Arbitrary<number | null>
): fc.Arbitrary<PayoutCommand> =>
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({
        do: fc.constant("make payout" as const),
        problem,
        order,
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

export const payoutCommand = commandsWith(fc.option(few, { freq: 5 }), fc.constant(null))
export const orderPayoutCommand = commandsWith(
  fc.option(few, { freq: 2 }),
  fc.option(few, { freq: 4 })
)
