import { actAtLast, begin, happen, type Story } from "./commands"
import { checkAlways, checkAtRest, comeToRest, lookOnceMore } from "./invariants"
import { Violation } from "./processes"
import { REAL_RULES, type Rules, type World } from "./world"

/** Lets a story happen and come to its end; throws a `Violation` when one of the rules is broken. */
export function tell(story: Story, rules: Rules = REAL_RULES): void {
  const world = begin(story, rules)
  try {
    happen(world, story)
    checkAlways(world)
    comeToRest(world)
    checkAlways(world)
    actAtLast(world, story)
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
    ...all("collection", shop.collections.values()),
    ...all("session", shop.sessions.values()),
    ...all("payment", shop.payments.values()),
    ...all("order", shop.orders.values()),
  ].join("\n")
}
