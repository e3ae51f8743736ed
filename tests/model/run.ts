import { decide } from "../../src/settlement/decide"
import { begin, happen, type Story } from "./commands"
import { checkAlways, checkAtRest, comeToRest, lookOnceMore } from "./invariants"
import { Violation } from "./processes"
import type { World } from "./world"

/** Lets a story happen and come to its end; throws a `Violation` when one of the rules is broken. */
export function tell(story: Story, decisions: World["decide"] = decide): void {
  const world = begin(story, decisions)
  try {
    happen(world, story)
    checkAlways(world)
    comeToRest(world)
    checkAlways(world)
    lookOnceMore(world)
    checkAlways(world)
    checkAtRest(world)
  } catch (error) {
    if (error instanceof Violation) error.message += `\n${describe(world)}`
    throw error
  }
}

/** All that is known at the end, for whoever has to find out why. */
function describe({ books, shop, service }: World): string {
  const all = (name: string, records: Iterable<unknown>) =>
    [...records].map((record) => `${name} ${JSON.stringify(record)}`)
  return [
    ...all("row", books.list()),
    ...all("problem", books.problems),
    ...all("event", books.events),
    ...all("at the service", service.transactions.values()),
    ...all("answers", service.answers),
    ...all("cart", shop.carts.values()),
    ...all("session", shop.sessions.values()),
    ...all("payment", shop.payments.values()),
    ...all("order", shop.orders.values()),
  ].join("\n")
}
