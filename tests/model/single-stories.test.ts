import { QUIET_ATTEMPTS } from "../../src/settlement/standing"
import { settleTransaction } from "../../src/workflows/settle/settle-transaction"
import { actOnProblemOf, PART } from "./admin"
import { compareOrders } from "./background"
import type { Problem } from "./books"
import { cancelOrder, completeCart, refundOrderPayment, replaceSessions } from "./core"
import { checkAtRest } from "./invariants"
import type { Payment } from "./shop"
import { aWorld, finishAll, type World } from "./world"

async function run(world: World, work: () => Promise<unknown>): Promise<void> {
  world.processes.spawn("work", work)
  await finishAll(world)
}

it("opens no payment for an order that was rolled back after a payment link was made for it", async () => {
  const world = aWorld("after_payment")
  const { collectionId } = world.shop.addCart("100")
  const link = world.shop.addCollection({ id: "order_gone", currency: "rub" }, "100")
  for (const id of [link.id, collectionId]) {
    await run(world, () => replaceSessions(world, id, "ours"))
  }
  expect(world.books.list()).toMatchObject([{ payment_collection_id: collectionId }])
})

it("cancels an order in the same settle that closes its session", async () => {
  const world = aWorld("before_payment")
  const { books, service, shop, ports } = world
  const { id: cartId, collectionId } = shop.addCart("100")
  await run(world, () => replaceSessions(world, collectionId, "ours"))
  await run(world, () => completeCart(world, cartId))
  const [row] = books.list()
  service.change(row?.transaction_id ?? "", { status: "CANCELED" })
  world.clock.now += 60 * 60_000
  await run(world, () => settleTransaction(ports, row?.id ?? ""))
  const session = shop.sessions.get(row?.session_id ?? "")
  const order = shop.orderOf(collectionId)
  expect({ session: session?.status, canceledAt: order?.canceledAt }).toEqual({
    session: "canceled",
    canceledAt: world.clock.now,
  })
})

it("places no order with money that went back after core had failed to finish it", async () => {
  const world = aWorld("after_payment")
  const { books, service, shop, ports } = world
  const { id: cartId, collectionId } = shop.addCart("100")
  await run(world, () => replaceSessions(world, collectionId, "ours"))
  const [row] = books.list()
  service.change(row?.transaction_id ?? "", { status: "Done" })
  for (let attempts = 0; attempts <= QUIET_ATTEMPTS; attempts++) {
    shop.failsAtTheEnd = true
    world.clock.now += 10 * 60_000
    await run(world, () => settleTransaction(ports, row?.id ?? ""))
  }
  const [problem] = books.problems
  await run(world, () => actOnProblemOf(world, problem as Problem, "refunded_outside", false))
  await run(world, () => completeCart(world, cartId))
  expect(problem?.resolution).toBe("refunded_outside")
  expect(shop.orderOf(collectionId)).toBeNull()
})

// A proof counts for 15 seconds: after that, core's question has the service asked again.
it.each([
  ["at once", 0],
  ["after the proof is old", 20_000],
])(
  "places no order of another sum when a cart changes without its lock and back %s",
  async (_, later) => {
    const totals = new Set<string>()
    for (let raised = 0; raised < 40; raised++) {
      for (let lowered = 1; lowered < 20; lowered++) {
        const world = aWorld("after_payment")
        const { books, processes, service, shop, ports } = world
        const { id: cartId, collectionId } = shop.addCart("100")
        await run(world, () => replaceSessions(world, collectionId, "ours"))
        const [row] = books.list()
        service.change(row?.transaction_id ?? "", { status: "Done" })
        processes.spawn("settle", () => settleTransaction(ports, row?.id ?? ""))
        const goOn = async (steps: number) => {
          for (let step = 0; step < steps && processes.count > 0; step++) await processes.step(0)
        }
        await goOn(raised)
        shop.cart(cartId).total = "2000"
        await goOn(lowered)
        shop.cart(cartId).total = "100"
        world.clock.now += later
        await finishAll(world)
        for (const { total, isPlaced } of shop.orders.values()) if (isPlaced) totals.add(total)
      }
    }
    expect([...totals]).toEqual(["100"])
  }
)

/** An order that is paid and whose refund is asked for, and what an admin does when the money went back. */
async function aRefundDue() {
  const world = aWorld("after_payment")
  const { books, service, shop, ports } = world
  const { collectionId } = shop.addCart("100")
  await run(world, () => replaceSessions(world, collectionId, "ours"))
  const [row] = books.list()
  service.change(row?.transaction_id ?? "", { status: "Done" })
  await run(world, () => settleTransaction(ports, row?.id ?? ""))
  const payment = [...shop.payments.values()][0] as Payment
  const refund = () => refundOrderPayment(world, payment.id, "100")
  await run(world, refund)
  const due = books.problems[0] as Problem
  const act = (isPart = false) => actOnProblemOf(world, due, "refunded_outside", isPart)
  return { world, payment, refund, due, act }
}

it.each([
  ["the same", "100", false],
  ["a larger", PART, true],
])(
  "books what went back, at whatever moment core is refused a refund of %s sum",
  async (_, amount, isPart) => {
    for (let steps = 0; steps < 30; steps++) {
      const { world, payment, refund, due, ...admin } = await aRefundDue()
      const act = () => admin.act(isPart)
      const { processes } = world
      processes.spawn("refund", refund)
      for (let step = 0; step < steps && processes.count > 0; step++) await processes.step(0)
      processes.spawn("act", act)
      while (processes.count > 1 && (await processes.step(1))) continue
      await finishAll(world)
      // Core counts its other refund until it has deleted it, and the admin is told to try again.
      await run(world, act)
      // The order may have been looked at while core's other refund was on it, which ends with the next comparison.
      await run(world, () => compareOrders(world))
      checkAtRest(world)
      expect({ problem: due.resolution, refunds: payment.refunds }).toMatchObject({
        problem: "refunded_outside",
        refunds: [{ amount }],
      })
    }
  }
)

it.each(["stands", "is canceled"])(
  "books once what went back, wherever an attempt has died, when the order %s",
  async (end) => {
    for (let steps = 0; steps < 40; steps++) {
      const { world, payment, due, act } = await aRefundDue()
      const { clock, processes, shop } = world
      processes.spawn("act", act)
      for (let step = 0; step < steps && processes.count > 0; step++) await processes.step(0)
      processes.killAll()
      clock.now += 300_000
      if (end === "is canceled") {
        await run(world, () => cancelOrder(world, shop.orderOf(payment.collectionId)?.id ?? ""))
      }
      await run(world, act)
      await run(world, () => compareOrders(world))
      checkAtRest(world)
      expect({ problem: due.resolution, refunds: payment.refunds }).toMatchObject({
        problem: "refunded_outside",
        refunds: [{ amount: "100" }],
      })
      if (end === "stands") {
        // The money that went back is not owed again.
        const [order] = [...shop.orders.values()]
        expect(order && shop.outstanding(order)).toBe("0")
      }
    }
  }
)
