import { replaceSessions } from "./core"
import { aWorld, finishAll } from "./world"

it("opens no payment for an order that was rolled back after a payment link was made for it", async () => {
  const world = aWorld("after_payment")
  const { collectionId } = world.shop.addCart("100")
  const link = world.shop.addCollection({ id: "order_gone", currency: "rub" }, "100")
  for (const id of [link.id, collectionId]) {
    world.processes.spawn("choose", () => replaceSessions(world, id, "ours"))
  }
  await finishAll(world)
  expect(world.books.list()).toMatchObject([{ payment_collection_id: collectionId }])
})
