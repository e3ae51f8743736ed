import { decide, type OrderPlacement } from "../../src/settlement/decide"
import { balanceProblem } from "../../src/settlement/order-balance"
import { Books } from "./books"
import { Processes } from "./processes"
import { RemoteService } from "./remote-service"
import { Shop } from "./shop"

export const START = Date.parse("2026-03-01T12:00:00.000Z")

/** The rules under test; a broken one shows whether the model finds it. */
export interface Rules {
  decide: typeof decide
  balanceProblem: typeof balanceProblem
  /** What is locked while a payment is judged and brought to Medusa. */
  targetOf: (paysFor: {
    rowId: string
    cartId: string | null
    orderCartId: string | null
    orderId: string | null
    collectionId: string
  }) => string
}

export const REAL_RULES: Rules = {
  decide,
  balanceProblem,
  targetOf: ({ cartId, orderCartId, orderId, collectionId }) =>
    cartId ?? orderCartId ?? orderId ?? collectionId,
}

/** Everything that there is: a store, our tables, the service, and the processes at work in between. */
export interface World {
  clock: { now: number }
  processes: Processes
  service: RemoteService
  books: Books
  shop: Shop
  placement: OrderPlacement
  rules: Rules
}

export function aWorld(placement: OrderPlacement, rules: Rules): World {
  const clock = { now: START }
  const processes = new Processes()
  return {
    clock,
    processes,
    service: new RemoteService(),
    books: new Books(clock, processes),
    shop: new Shop(),
    placement,
    rules,
  }
}

/** Time that passes while everybody goes on. */
export function pass(world: World, ms: number): void {
  world.clock.now += ms
  world.books.renewLeases()
}

/** Lets every process that is under way come to its end. */
export function finishAll(world: World): void {
  world.processes.runToEnd(() => {
    pass(world, 1_000)
  })
}
