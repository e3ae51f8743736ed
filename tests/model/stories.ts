import * as fc from "fast-check"

import type { OrderPlacement } from "../../src/settlement/decide"
import { orderPayoutCommand, payoutCommand, type PayoutCommand } from "./payout-stories"
import { MERCHANT } from "./remote-service"
import type { PayoutRules } from "./world"

/** The steps of a story. A number picks one of the things that exist: the second cart, the fifth process. */
export type Command =
  | { do: "choose"; collection: number; kind: "ours" | "other" }
  | { do: "change cart" | "change cart meanwhile"; cart: number; total: string }
  | { do: "complete"; cart: number }
  | { do: "pay"; transaction: number; how: keyof typeof WAYS_TO_PAY }
  | { do: "say"; transaction: number; status: string }
  | { do: "callback" | "come back" | "poll"; transaction: number }
  | { do: "watch" | "compare" | "restart" | "sell out" | "restock" | "fail at the end" }
  | { do: "cancel order" | "link"; order: number }
  | { do: "edit order"; order: number; total: string }
  | { do: "refund"; payment: number; isPart: boolean }
  | { do: "kill"; process: number }
  | { do: "pay all" }
  /** Where `diesAfter` steps are said, the admin's process dies after them, and the admin tries again later. */
  | { do: "act"; problem: number; action: number; diesAfter: number | null }
  | { do: "pass" | "jump"; ms: number }
  | { do: "answer late"; reads: number; changesAgo: number }
  | { do: "break" | "mend" }
  | PayoutCommand

/** A command, and how far those who are under way get before the next one. */
interface Moment {
  command: Command
  /** So many steps of processes that `order` picks; all of them to their end when it is `EVERYTHING`. */
  steps: number
  order: number
}

export interface Story {
  placement: OrderPlacement
  totals: string[]
  moments: Moment[]
  /** A person's decisions about the problems that are open when everything has come to rest. */
  acts: number[]
  /** The store's rules for payouts; missing where nobody makes any. */
  payouts?: PayoutRules
}

export const EVERYTHING = 100
const TOTALS = ["100", "100.004", "99.995", "250.505", "1199.988"]
const STATUSES = ["CANCELED", "TooLate", "TakenBack", "PENDING", "Odd", "Other", "Done"]
const MINUTE = 60_000
const HOUR = 60 * MINUTE

export const WAYS_TO_PAY = {
  "in full": {},
  less: { amount: "99.00" },
  more: { amount: "1500.01" },
  "in another currency": { currency: "USD" },
  "with another reference": { payload: "pstx_other" },
  "with our neighbour's reference": { payload: "pstx_1" },
  "without a reference": { payload: null },
  "to another merchant": { merchantId: `f${MERCHANT.slice(1)}` },
}

export const few = fc.nat({ max: 5 })
const ofTransaction = { transaction: few }

export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant("choose" as const),
      collection: few,
      kind: fc.constantFrom("ours" as const, "ours" as const, "ours" as const, "other" as const),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("change cart" as const, "change cart meanwhile" as const),
      cart: few,
      total: fc.constantFrom(...TOTALS),
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("complete" as const), cart: few }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("pay" as const),
      ...ofTransaction,
      how: fc.constantFrom(
        "in full" as const,
        "in full" as const,
        "in full" as const,
        "in full" as const,
        ...(Object.keys(WAYS_TO_PAY) as (keyof typeof WAYS_TO_PAY)[])
      ),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant("say" as const),
      ...ofTransaction,
      status: fc.constantFrom(...STATUSES),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constantFrom("callback" as const, "come back" as const, "poll" as const),
      ...ofTransaction,
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom(
        "watch" as const,
        "watch" as const,
        "watch" as const,
        "sell out" as const,
        "restock" as const,
        "fail at the end" as const,
        "compare" as const
      ),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("cancel order" as const, "link" as const, "link" as const),
      order: few,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("edit order" as const),
      order: few,
      total: fc.constantFrom(...TOTALS),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("refund" as const),
      payment: few,
      isPart: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constantFrom("kill" as const, "kill" as const, "restart" as const),
      process: few,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("act" as const),
      problem: few,
      action: few,
      diesAfter: fc.option(fc.nat({ max: 40 })),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("pass" as const, "pass" as const, "jump" as const),
      ms: fc.constantFrom(1_000, 6_000, 30_000, 5 * MINUTE, 16 * MINUTE, 20 * MINUTE, HOUR),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant("answer late" as const),
      reads: fc.integer({ min: 1, max: 3 }),
      changesAgo: fc.integer({ min: 1, max: 2 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constantFrom("break" as const, "mend" as const) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pay all" as const) }) }
)

const parts = (commands: fc.Arbitrary<Command>, totals: string[]) => ({
  placement: fc.constantFrom("after_payment" as const, "before_payment" as const),
  totals: fc.array(fc.constantFrom(...totals), { minLength: 1, maxLength: 2 }),
  moments: fc.array(
    fc.record({
      command: commands,
      steps: fc.oneof(
        { weight: 2, arbitrary: fc.constant(EVERYTHING) },
        fc.nat({ max: EVERYTHING }),
        fc.nat({ max: 6 })
      ),
      order: fc.nat({ max: 0xffff }),
    }),
    { minLength: 3, maxLength: 24, size: "max" }
  ),
  acts: fc.array(few, { maxLength: 3 }),
})

export const story: fc.Arbitrary<Story> = fc.record(parts(command, TOTALS))

/** Sums that can be paid out, in part at least. */
const TOTALS_TO_PAY_OUT = ["1199.988", "2500.5", "3000"]

const storyWith = (payouts: typeof payoutCommand): fc.Arbitrary<Story> =>
  fc.record({
    ...parts(
      fc.oneof({ weight: 1, arbitrary: command }, { weight: 1, arbitrary: payouts }),
      TOTALS_TO_PAY_OUT
    ),
    payouts: fc.record({
      approval: fc.boolean(),
      perDay: fc.constantFrom(2_500, 100_000),
    }),
  })

/** A story in which admins make payouts, for problems and for themselves. */
export const storyWithPayouts = storyWith(payoutCommand)
/** A story in which they make them for orders, too. */
export const storyWithOrderPayouts = storyWith(orderPayoutCommand)
