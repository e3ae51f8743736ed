import { freshSince } from "../../src/settlement/evidence"
import { actionsFor } from "../../src/settlement/problems"
import type { ProblemAction } from "../../src/settlement/problems/entry"
import { settleTransaction } from "../../src/workflows/settle/settle-transaction"
import { actOnProblemOf, PART } from "./admin"
import { compareOrders, poll, settleCallback, watch } from "./background"
import {
  cancelOrder,
  changeCart,
  completeCart,
  editOrder,
  linkPayment,
  refundOrderPayment,
  replaceSessions,
} from "./core"
import { obeyAboutPayouts } from "./payout-commands"
import { type Command, EVERYTHING, type Story, WAYS_TO_PAY } from "./stories"
import { finishAll, pass, type World } from "./world"

/** They are in stories with payouts. */
const OF_PAYOUTS: readonly ProblemAction[] = ["pay_out", "record_refund"]

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
    await obey(world, { do: "act", problem: action, action, diesAfter: null })
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
    case "refund": {
      // In the dashboard, of a payment whose money Medusa holds.
      const captured = [...shop.payments.values()].filter(({ capturedAt }) => capturedAt !== null)
      const payment = pick(captured, command.payment)
      if (!payment) return
      const amount = command.isPart ? PART : payment.amount
      processes.spawn("refund", () => refundOrderPayment(world, payment.id, amount))
      return
    }
    case "act": {
      const problem = pick(
        books.problems.filter(({ closed_at }) => closed_at === null),
        command.problem
      )
      const actions = (
        problem ? actionsFor(problem.kind, problem.transaction_row_id !== null) : []
      ).filter((action) => world.payoutRules !== null || !OF_PAYOUTS.includes(action))
      const action = pick(actions, command.action)
      const isPart = problem?.kind === "refund_due" && command.action >= actions.length
      if (!problem || !action) return
      await actAndPerhapsDie(world, action, command.diesAfter, () =>
        actOnProblemOf(world, problem, action, isPart)
      )
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
      return
    case "make payout":
    case "payout":
    case "answer payouts":
    case "look after payouts":
      await obeyAboutPayouts(world, command)
  }
}

/** An admin does something, whose process dies after so many steps if they are said; the admin tries again later. */
export async function actAndPerhapsDie(
  world: World,
  name: string,
  diesAfter: number | null,
  work: () => Promise<void>
): Promise<void> {
  const { processes } = world
  if (diesAfter !== null) {
    const others = processes.count
    processes.spawn(name, work)
    for (let steps = 0; steps < diesAfter && processes.count > others; steps++) {
      await processes.step(others)
    }
    if (processes.count > others) processes.kill(others)
    // By then, the locks of the dead process have expired.
    pass(world, 5 * 60_000)
  }
  processes.spawn(name, work)
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

export function pick<T>(all: readonly T[], index: number): T | undefined {
  return all[index % all.length]
}
