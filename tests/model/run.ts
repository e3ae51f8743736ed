import type { decide } from "../../src/settlement/decide"
import { isComplete } from "../../src/settlement/evidence"
import { actAtLast, begin, happen } from "./commands"
import { checkDecision } from "./decision-rules"
import { checkAlways, checkAtRest, comeToRest, lookOnceMore } from "./invariants"
import { Violation } from "./processes"
import { replace } from "./replaceable"
import type { Story } from "./stories"
import { aWorld, type World } from "./world"

export type Decide = typeof decide

/** The module that a test of stories must have mocked by `replaceable`. */
const DECIDE = "settlement/decide"

/** The plugin's own `decide`, whatever a story is told with. */
export const realDecide: Decide = (input) =>
  jest.requireActual<{ decide: Decide }>("../../src/settlement/decide").decide(input)

/** Lets a story happen and come to its end; throws a `Violation` when one of the rules is broken. */
export async function tell(story: Story, decideBy: Decide = realDecide): Promise<void> {
  const world = aWorld(story.placement, story.payouts)
  const decideAndCheck: Decide = (input) => {
    const decision = decideBy(input)
    const { row, medusa, now } = input
    if (isComplete(medusa)) {
      checkDecision(world, { row: world.books.retrieve(row.id), medusa, decision, now })
    }
    return decision
  }
  replace(DECIDE, { decide: decideAndCheck })
  try {
    await begin(world, story)
    await happen(world, story)
    checkAlways(world)
    await comeToRest(world)
    checkAlways(world)
    await actAtLast(world, story)
    await comeToRest(world)
    checkAlways(world)
    await lookOnceMore(world)
    checkAlways(world)
    checkAtRest(world)
  } catch (error) {
    if (error instanceof Violation) error.message += `\n${describeAll(world)}`
    throw error
  }
}

/** All that is known at the end, for whoever has to find out why. */
function describeAll({ books, shop, service, payouts, remotePayouts }: World): string {
  const all = (name: string, records: Iterable<unknown>) =>
    [...records].map((record) => `${name} ${JSON.stringify(record)}`)
  return [
    ...all("row", books.list()),
    ...all("problem", books.problems),
    ...all("proof", books.proofs),
    ...all("event", books.events),
    ...all("at the service", service.transactions.values()),
    ...all("answers", service.answers),
    ...all("cart", shop.carts.values()),
    ...all("collection", shop.collections.values()),
    ...all("session", shop.sessions.values()),
    ...all("payment", shop.payments.values()),
    ...all("order", shop.orders.values()),
    ...all("refund booking", shop.refundBookings),
    ...all("payout", payouts.list()),
    ...all("journal", payouts.journal),
    ...all("payout at the service", remotePayouts.ledger.values()),
  ].join("\n")
}
