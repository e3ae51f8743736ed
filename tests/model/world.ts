import { decide, type OrderPlacement } from "../../src/settlement/decide"
import { Books } from "./books"
import { Processes } from "./processes"
import { RemoteService } from "./remote-service"
import { Shop } from "./shop"

export const START = Date.parse("2026-03-01T12:00:00.000Z")

/** Everything that there is: a store, our tables, the service, and the processes at work in between. */
export interface World {
  clock: { now: number }
  processes: Processes
  service: RemoteService
  books: Books
  shop: Shop
  placement: OrderPlacement
  /** The decisions under test; a broken one shows whether the rules below find it. */
  decide: typeof decide
}

export function aWorld(placement: OrderPlacement, decisions: typeof decide = decide): World {
  const clock = { now: START }
  const processes = new Processes()
  return {
    clock,
    processes,
    service: new RemoteService(),
    books: new Books(clock, processes),
    shop: new Shop(),
    placement,
    decide: decisions,
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
