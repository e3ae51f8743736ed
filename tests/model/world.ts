import type { OrderPlacement } from "../../src/settlement/decide"
import type { PayoutPorts } from "../../src/workflows/payouts/ports"
import type { SettlePorts } from "../../src/workflows/ports"
import { Books } from "./books"
import { corePortOf } from "./core-port"
import { medusaOf } from "./medusa"
import { moduleOf } from "./module"
import { PayoutBooks } from "./payout-books"
import { payoutPortsOf } from "./payout-ports"
import { Processes } from "./processes"
import { RemotePayouts } from "./remote-payouts"
import { RemoteService } from "./remote-service"
import { Shop } from "./shop"

const START = Date.parse("2026-03-01T12:00:00.000Z")

/** Everything that there is: a store, our tables, the service, and the processes at work in between. */
export interface World {
  clock: { now: number }
  processes: Processes
  service: RemoteService
  books: Books
  shop: Shop
  placement: OrderPlacement
  /** The store's rules for payouts; null when nobody makes any. */
  payoutRules: PayoutRules | null
  payouts: PayoutBooks
  remotePayouts: RemotePayouts
  /** The ports that the plugin's own functions run on. */
  ports: SettlePorts
  payoutPorts: PayoutPorts
}

/** Options of `payouts`. */
export interface PayoutRules {
  approval: boolean
  perDay: number
}

export function aWorld(placement: OrderPlacement, payoutRules: PayoutRules | null = null): World {
  const clock = { now: START }
  const processes = new Processes()
  const world = {
    clock,
    processes,
    service: new RemoteService(),
    books: new Books(clock, processes),
    shop: new Shop(),
    placement,
    payoutRules,
    remotePayouts: new RemotePayouts(),
  } as World
  world.payouts = new PayoutBooks(world.books, processes)
  world.ports = { module: moduleOf(world), medusa: medusaOf(world), core: corePortOf(world) }
  world.payoutPorts = payoutPortsOf(world)
  return world
}

/** Time that passes while everybody goes on. */
export function pass(world: World, ms: number): void {
  world.clock.now += ms
  world.books.renewLeases()
}

/** Lets every process that is under way come to its end. */
export async function finishAll(world: World): Promise<void> {
  await world.processes.runToEnd(() => {
    pass(world, 1_000)
  })
}
