import * as fc from "fast-check"

import type { OrderPlacement } from "../../src/settlement/decide"
import { freshSince } from "../../src/settlement/evidence"
import { actionsFor } from "../../src/settlement/problems"
import { settleTransaction } from "../../src/workflows/settle/settle-transaction"
import { actOnProblemOf } from "./admin"
import { compareOrders, poll, settleCallback, watch } from "./background"
import {
  cancelOrder,
  changeCart,
  completeCart,
  editOrder,
  linkPayment,
  replaceSessions,
} from "./core"
import { MERCHANT } from "./remote-service"
import { finishAll, pass, type World } from "./world"

/** What can happen. Numbers pick one of what there is: the second cart, the fifth process. */
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
  | { do: "kill"; process: number }
  | { do: "pay all" }
  | { do: "act"; problem: number; action: number }
  | { do: "pass" | "jump"; ms: number }
  | { do: "answer late"; reads: number; changesAgo: number }
  | { do: "break" | "mend" }

/** A command, and how far those who are under way get before the next one. */
export interface Moment {
  command: Command
  /** So many steps of processes that `order` picks; all of them to their end when it is `EVERYTHING`. */
  steps: number
  order: number
}

export interface Story {
  placement: OrderPlacement
  totals: string[]
  moments: Moment[]
  /** What a person does about the problems that are open when all has come to rest. */
  acts: number[]
}

const EVERYTHING = 100
const TOTALS = ["100", "100.004", "99.995", "250.505", "1199.988"]
const STATUSES = ["CANCELED", "TooLate", "TakenBack", "PENDING", "Odd", "Other", "Done"]
const MINUTE = 60_000
const HOUR = 60 * MINUTE

const WAYS_TO_PAY = {
  "in full": {},
  less: { amount: "99.00" },
  more: { amount: "1500.01" },
  "in another currency": { currency: "USD" },
  "with another reference": { payload: "pstx_other" },
  "with our neighbour's reference": { payload: "pstx_1" },
  "without a reference": { payload: null },
  "to another merchant": { merchantId: `f${MERCHANT.slice(1)}` },
}

const few = fc.nat({ max: 5 })
const ofTransaction = { transaction: few }

const command: fc.Arbitrary<Command> = fc.oneof(
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

export const story: fc.Arbitrary<Story> = fc.record({
  placement: fc.constantFrom("after_payment" as const, "before_payment" as const),
  totals: fc.array(fc.constantFrom(...TOTALS), { minLength: 1, maxLength: 2 }),
  moments: fc.array(
    fc.record({
      command,
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

/** The first thing in each story is that a shopper chooses to pay with us. */
export async function begin(world: World, { totals }: Story): Promise<void> {
  for (const total of totals) world.shop.addCart(total)
  await obey(world, { do: "choose", collection: 0, kind: "ours" })
  await finishAll(world)
}

export async function happen(world: World, { moments }: Story): Promise<void> {
  for (const { command, steps, order } of moments) {
    await obey(world, command)
    await goOn(world, steps, order)
  }
}

/** One after the other, each of what is open then. */
export async function actAtLast(world: World, { acts }: Story): Promise<void> {
  for (const action of acts) {
    await obey(world, { do: "act", problem: action, action })
    await finishAll(world)
  }
}

async function goOn(world: World, steps: number, order: number): Promise<void> {
  if (steps === EVERYTHING) {
    await finishAll(world)
    return
  }
  let next = order + 1
  for (let count = 0; count < steps && world.processes.count > 0; count++) {
    next = (next * 75 + 74) % 65_537
    await world.processes.step(next)
  }
}

async function obey(world: World, command: Command): Promise<void> {
  const { processes, service, shop, books } = world
  switch (command.do) {
    case "choose": {
      const collection = pick([...shop.collections.values()], command.collection)
      // A collection of an order that something has paid for takes no other payment.
      if (!collection || (collection.orderId && shop.heldPayments(collection.id).length)) return
      processes.spawn("choose", () => replaceSessions(world, collection.id, command.kind))
      return
    }
    case "change cart": {
      const cart = pick([...shop.carts.values()], command.cart)
      if (cart) processes.spawn("change cart", () => changeCart(world, cart.id, command.total))
      return
    }
    case "change cart meanwhile": {
      // In another tab, after core has read what is to be paid, and before it makes a session for that.
      const cart = pick([...shop.carts.values()], command.cart)
      if (!cart) return
      processes.spawn("choose", () => replaceSessions(world, cart.collectionId, "ours"))
      await processes.step(processes.count - 1)
      const others = processes.count
      processes.spawn("change cart", () => changeCart(world, cart.id, command.total))
      while (processes.count > others && (await processes.step(others))) continue
      return
    }
    case "complete": {
      const cart = pick([...shop.carts.values()], command.cart)
      if (cart) processes.spawn("complete", () => complete(world, cart.id))
      return
    }
    case "pay": {
      const id = pick([...service.transactions.keys()], command.transaction)
      if (!id) return
      const asked = service.transactions.get(id)?.history[0]
      service.change(id, { ...asked, status: "Done", ...WAYS_TO_PAY[command.how] })
      return
    }
    case "pay all":
      for (const row of books.list(({ state }) => state === "pending")) {
        service.change(row.transaction_id ?? "", { status: "Done" })
        processes.spawn("callback", () => settleCallback(world, row.id))
      }
      return
    case "say": {
      const id = pick([...service.transactions.keys()], command.transaction)
      if (id) service.change(id, { status: command.status })
      return
    }
    case "callback":
    case "come back":
    case "poll": {
      const row = pick(
        books.list(({ transaction_id }) => transaction_id !== null),
        command.transaction
      )
      if (!row) return
      const work =
        command.do === "callback" ? settleCallback : command.do === "poll" ? poll : settle
      processes.spawn(command.do, () => work(world, row.id))
      return
    }
    case "watch":
      processes.spawn("watch", () => watch(world))
      return
    case "compare":
      processes.spawn("compare", () => compareOrders(world))
      return
    case "cancel order":
    case "link": {
      const order = pick([...shop.orders.values()], command.order)
      const work = command.do === "link" ? openLink : cancelOrder
      if (order) processes.spawn(command.do, () => work(world, order.id))
      return
    }
    case "edit order": {
      const order = pick([...shop.orders.values()], command.order)
      if (order) processes.spawn("edit order", () => editOrder(world, order.id, command.total))
      return
    }
    case "act": {
      const problem = pick(
        books.problems.filter(({ closed_at }) => closed_at === null),
        command.problem
      )
      const actions = problem ? actionsFor(problem.kind, problem.transaction_row_id !== null) : []
      const action = pick(actions, command.action)
      if (problem && action) processes.spawn(action, () => actOnProblemOf(world, problem, action))
      return
    }
    case "kill":
      processes.kill(command.process)
      return
    case "restart":
      processes.killAll()
      // Core's locks are in memory, and go with the process.
      shop.cartLocks.clear()
      return
    case "sell out":
      shop.stock = 0
      return
    case "restock":
      shop.stock = 3
      return
    case "fail at the end":
      shop.failsAtTheEnd = true
      return
    case "pass":
      pass(world, command.ms)
      return
    case "jump":
      world.clock.now += command.ms
      return
    case "answer late":
      service.stale = { reads: command.reads, changesAgo: command.changesAgo }
      return
    case "break":
    case "mend":
      service.isDown = command.do === "break"
  }
}

/** A customer follows it at once. */
async function openLink(world: World, orderId: string): Promise<void> {
  const { id } = await linkPayment(world, orderId)
  await world.processes.pause()
  await replaceSessions(world, id, "ours")
}

async function settle({ ports }: World, rowId: string): Promise<void> {
  await settleTransaction(ports, rowId)
}

/** Core tells of the order, and what pays for it is settled on the proof that has just placed it. */
async function complete(world: World, cartId: string): Promise<void> {
  const { books, ports } = world
  const orderId = await completeCart(world, cartId)
  await world.processes.pause()
  for (const { id } of books.list(
    ({ order_id, state, settled_at }) => order_id === orderId && state === "paid" && !settled_at
  )) {
    await settleTransaction(ports, id, { provenSince: freshSince(books.now()) })
  }
}

function pick<T>(all: readonly T[], index: number): T | undefined {
  return all[index % all.length]
}
