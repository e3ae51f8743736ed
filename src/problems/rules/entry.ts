import type { Text } from "../../texts"

/** How a problem ended: automatically, or by an admin's action. */
export const PROBLEM_RESOLUTIONS = ["settled", "accepted", "refunded_outside", "handled"] as const
export type ProblemResolution = (typeof PROBLEM_RESOLUTIONS)[number]

/** Resolutions by a person's decision. A problem `settled` or `accepted` opens again as soon as something is still wrong. */
export const CLOSED_BY_A_PERSON: readonly ProblemResolution[] = ["handled", "refunded_outside"]

/**
 * An action that an admin can take on a problem.
 *
 * - `retry`: settle the transaction again
 * - `place_order`: take the payment for the cart or order as it is now
 * - `accept_amount`: take the paid sum instead of the one that was asked for
 * - `take_instead`: take the payment for the order in place of the one that was promised, which is canceled
 * - `link_order`: take the order that a killed completion left for its cart's order
 * - `replace_order`: cancel that order and place another one
 * - `pay_out`: make a payout that pays it back; the payouts' own routes do that, and book it when it is created
 * - `refunded_outside`: the money went back by another way; books the refund if Medusa holds the payment
 * - `handle`: it was taken care of, with a note
 */
export const PROBLEM_ACTIONS = [
  "retry",
  "place_order",
  "accept_amount",
  "take_instead",
  "link_order",
  "replace_order",
  "pay_out",
  "refunded_outside",
  "handle",
] as const
export type ProblemAction = (typeof PROBLEM_ACTIONS)[number]

/** Everything about one kind of problem. `Facts` are stored as JSON: a field's new name or meaning needs a migration. */
export interface ProblemEntry<Facts> {
  /** Identifies the problem when it is seen again, see `cause.ts`. */
  cause: (facts: Facts) => string
  /** The first of them that is possible is the one that pages propose; the others stand in a menu. */
  actions: readonly ProblemAction[]
  /** Closed by a person, it opens again when one of these facts is another; without them, when it began after that. */
  opensAgainBy?: readonly FactName<Facts>[]
  /** By default the text that has the kind's name, with the facts as they are. */
  text?: (facts: Facts) => Text
}

type FactName<Facts> = Facts extends unknown ? keyof Facts & string : never

/** Checks an entry's functions against the type `Facts`. */
export const entry = <Facts>(described: ProblemEntry<Facts>): ProblemEntry<Facts> => described
