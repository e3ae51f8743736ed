import { settleTransaction } from "../../src/workflows/settle/settle-transaction"
import { completeCart, replaceSessions } from "./core"
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
