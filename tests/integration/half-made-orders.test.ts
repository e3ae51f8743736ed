import { randomUUID } from "node:crypto"

import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { beginCompletion, finishCompletions } from "../../src/workflows/settle/half-made-orders"
import { settleTransactionWorkflow } from "../../src/workflows/settle/settle-transaction"
import { withoutWatcher } from "./passes"
import { expectPaidOrder, type OpenPayment, ordersOf, Shopper } from "./shopper"
import { describeStore, eventually, settledRow } from "./store"

const LAST_ITEM = 2
const SECOND = 1_000
const MINUTE = 60 * SECOND

// How core comes to leave such orders is in tests/instances/kills.test.ts.
describeStore("an order that core made and could not link to its cart", {}, (store) => {
  /** A cart whose completion began so long ago and was not seen to end, and the order that it left. */
  async function left(ago = 5 * MINUTE) {
    const payment = await new Shopper(store).checkout("sbp", {
      email: `${randomUUID()}@shopper.test`,
    })
    const row = await store.module.findBySession(payment.sessionId)
    const completed = { id: row?.id ?? "", cart_id: payment.cartId }
    await beginCompletion(store.container, completed)
    const mark = new Date(Date.now() - ago)
    await store.module.updateTransactions({ id: completed.id, placing_at: mark })
    const order = await makeOrder(payment, new Date(mark.getTime() + SECOND))
    return { payment, completed, order }
  }

  /** What `createOrdersStep` of a completion makes. */
  async function makeOrder(
    { cartId }: OpenPayment,
    at: Date,
    changes: Record<string, unknown> = {}
  ) {
    const carts = store.container.resolve(Modules.CART)
    const {
      email,
      currency_code,
      customer_id,
      region_id,
      sales_channel_id,
      items,
      shipping_methods,
    } = await carts.retrieveCart(cartId, { relations: ["items", "shipping_methods"] })
    const orders = await store.container.resolve(Modules.ORDER).createOrders([
      {
        ...{ email, currency_code, customer_id, region_id, sales_channel_id, status: "pending" },
        items: (items ?? []).map(({ title, variant_id, quantity, unit_price }) => ({
          ...{ title, variant_id, quantity: Number(quantity), unit_price: Number(unit_price) },
        })),
        shipping_methods: (shipping_methods ?? []).map(({ name, amount, shipping_option_id }) => ({
          ...{ name, amount: Number(amount), shipping_option_id },
        })),
        ...changes,
      },
    ] as never)
    const id = (orders as { id: string }[])[0]?.id ?? ""
    await sql().raw('update "order" set created_at = :at where id = :id', { at, id })
    return { id }
  }

  const quietly = (what: string, work: () => Promise<void>) => {
    it(what, () => withoutWatcher(store, work))
  }

  const sql = () => store.container.resolve<Sql>(ContainerRegistrationKeys.PG_CONNECTION)

  const isThere = async (orderId: string) =>
    (await store.container.resolve(Modules.ORDER).listOrders({ id: orderId })).length === 1

  const markOf = async ({ id }: { id: string }) =>
    (await store.module.retrieveTransaction(id)).placing_at

  quietly("is taken back before the next attempt, and the cart gets one order", async () => {
    const { payment, completed, order } = await left(MINUTE)
    await store.simulator.pay(payment.data.transaction_id)
    await settledRow(store, payment.sessionId)
    expect(await isThere(order.id)).toBe(false)
    expect(await ordersOf(store, payment.cartId)).not.toContain(order.id)
    await expectPaidOrder(store, payment.cartId)
    expect(await markOf(completed)).toBeNull()
  })

  quietly(
    "is taken back by the watcher when nobody tries again, and the cart can be changed",
    async () => {
      const { payment, completed, order } = await left()
      const carts = store.container.resolve(Modules.CART)
      await carts.updateCarts([{ id: payment.cartId, completed_at: new Date() }])
      await finishCompletions(store.container)
      expect(await isThere(order.id)).toBe(false)
      expect(await markOf(completed)).toBeNull()
      expect((await new Shopper(store).addItem(payment.cartId, 1)).status).toBe(200)
    }
  )

  quietly(
    "is found after attempts that could not look, because the dead process still held the cart",
    async () => {
      const { payment, completed, order } = await left(MINUTE)
      const mark = await markOf(completed)
      const locking = store.container.resolve(Modules.LOCKING)
      await locking.acquire(payment.cartId, { ownerId: "the dead", expire: 60 })
      for (let attempt = 0; attempt < 2; attempt++) {
        await expect(beginCompletion(store.container, completed, { waitMs: 100 })).rejects.toThrow()
      }
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      expect(await new Shopper(store).complete(payment.cartId)).toMatchObject({
        status: 400,
        data: { message: expect.stringContaining("being completed right now") },
      })
      expect(await markOf(completed)).toEqual(mark)
      await locking.release(payment.cartId, { ownerId: "the dead" })
      expect((await new Shopper(store).complete(payment.cartId)).status).toBe(200)
      expect(await isThere(order.id)).toBe(false)
      await settledRow(store, payment.sessionId)
      await expectPaidOrder(store, payment.cartId)
    }
  )

  quietly("is taken back at once when core could not roll back itself", async () => {
    const { container, module, simulator, shop } = store
    const variantId = shop.variantIds[LAST_ITEM] ?? ""
    const [first, second] = [
      await new Shopper(store).checkout("sbp", { variantId }),
      await new Shopper(store).checkout("sbp", { variantId }),
    ]
    await simulator.pay(first.data.transaction_id)
    await settledRow(store, first.sessionId)
    const orders = container.resolve(Modules.ORDER)
    const broken = jest.spyOn(orders, "deleteOrders").mockRejectedValue(new Error("is away"))
    try {
      await simulator.pay(second.data.transaction_id, { callback: false })
      const row = await module.findBySession(second.sessionId)
      const input = { transaction_row_id: row?.id ?? "" }
      await settleTransactionWorkflow(container).run({ input })
      expect(broken).toHaveBeenCalled()
    } finally {
      broken.mockRestore()
    }
    expect(await module.findBySession(second.sessionId)).toMatchObject({
      exception: "completion_failed",
      exception_reason: expect.stringContaining("stock"),
      placing_at: null,
    })
    expect(await orders.listOrders({})).toHaveLength(1)
    expect((await ordersOf(store, first.cartId)).length).toBe(1)
    expect(await ordersOf(store, second.cartId)).toEqual([])
  })

  quietly("is found though the cart was changed and another payment begun since", async () => {
    const { payment, order } = await left(MINUTE)
    const shopper = new Shopper(store)
    expect((await shopper.addItem(payment.cartId, 1)).status).toBe(200)
    const again = await shopper.open(payment.cartId, "crypto")
    await store.simulator.pay(again.data.transaction_id)
    await settledRow(store, again.sessionId)
    expect(await isThere(order.id)).toBe(false)
    await expectPaidOrder(store, payment.cartId)
  })

  quietly("waits until an order is no longer one that is just being made", async () => {
    const { completed, order } = await left(0)
    const began = Date.now()
    await (
      await beginCompletion(store.container, completed)
    )()
    expect(await isThere(order.id)).toBe(false)
    expect(Date.now() - began).toBeGreaterThan(8 * SECOND)
  })

  quietly("is told from every order that only looks like it", async () => {
    const { payment, completed, order } = await left()
    const inTime = new Date(Date.now() - 5 * MINUTE + SECOND)
    const make = (changes?: Record<string, unknown>, at = inTime) => makeOrder(payment, at, changes)
    const other = await new Shopper(store).checkout()
    const link = store.container.resolve(ContainerRegistrationKeys.LINK)
    const linked = async (to: Record<string, Record<string, string>>) => {
      const { id } = await make()
      await link.create({ [Modules.ORDER]: { order_id: id }, ...to })
      return { id }
    }
    const others = {
      "somebody else's": await make({ email: "somebody-else@shopper.test" }),
      "in another currency": await make({ currency_code: "usd" }),
      "a draft": await make({ is_draft_order: true, status: "draft" }),
      completed: await make({ status: "completed" }),
      "with other contents": await make({
        items: [{ title: "Another", quantity: 1, unit_price: 5 }],
      }),
      "sent in another way": await make({ shipping_methods: [] }),
      "with money": await make({ transactions: [{ amount: 10, currency_code: "rub" }] }),
      "made before": await make({}, new Date(inTime.getTime() - 2 * SECOND)),
      "made long after": await make({}, new Date(inTime.getTime() + 10 * MINUTE)),
      "another cart's": await linked({ [Modules.CART]: { cart_id: other.cartId } }),
      "in another collection": await linked({
        [Modules.PAYMENT]: { payment_collection_id: other.collectionId },
      }),
    }
    // An order of the cart's own collection is not another's.
    const own = await linked({ [Modules.PAYMENT]: { payment_collection_id: payment.collectionId } })
    await finishCompletions(store.container)
    expect(await markOf(completed)).toBeNull()
    const gone = await Promise.all(
      Object.entries(others).map(async ([kind, { id }]) => ((await isThere(id)) ? null : kind))
    )
    expect(gone.filter(Boolean)).toEqual([])
    expect([await isThere(order.id), await isThere(own.id)]).toEqual([false, false])
    await store.simulator.pay(payment.data.transaction_id)
    await settledRow(store, payment.sessionId)
    await expectPaidOrder(store, payment.cartId)
  })

  describe("that is linked to its cart", () => {
    async function linked() {
      const found = await left()
      const order = { [Modules.ORDER]: { order_id: found.order.id } }
      const { cartId, collectionId } = found.payment
      await store.container.resolve(ContainerRegistrationKeys.LINK).create([
        { ...order, [Modules.CART]: { cart_id: cartId } },
        { ...order, [Modules.PAYMENT]: { payment_collection_id: collectionId } },
      ])
      return found
    }

    quietly("may have no stock: it is made anew when it is paid", async () => {
      const { payment, completed, order } = await linked()
      await store.simulator.pay(payment.data.transaction_id)
      await settledRow(store, payment.sessionId)
      expect(await isThere(order.id)).toBe(false)
      const placed = await expectPaidOrder(store, payment.cartId)
      const { items } = await store.container
        .resolve(Modules.ORDER)
        .retrieveOrder(placed.id, { relations: ["items"] })
      const reserved = await store.container
        .resolve(Modules.INVENTORY)
        .listReservationItems({ line_item_id: (items ?? []).map(({ id }) => id) })
      expect(reserved).toHaveLength(1)
      expect((await new Shopper(store).retrieve(payment.cartId)).completed_at).not.toBeNull()
      expect(await markOf(completed)).toBeNull()
    })

    quietly("and not paid: the cart is a cart again", async () => {
      const { payment, order } = await linked()
      await finishCompletions(store.container)
      expect(await isThere(order.id)).toBe(false)
      expect(await ordersOf(store, payment.cartId)).toEqual([])
    })

    const signs: [string, Record<string, unknown>][] = [
      ["was told of", { order_id: "order_01" }],
      ["was promised a payment", { deferred_at: new Date() }],
    ]
    for (const [what, changes] of signs) {
      quietly(`stays when it ${what}, and so does one that only looks like it`, async () => {
        const { payment, completed, order } = await linked()
        const copy = await makeOrder(payment, new Date(Date.now() - 4 * MINUTE))
        await store.module.updateTransactions({ id: completed.id, ...changes })
        await finishCompletions(store.container)
        expect(await markOf(completed)).toBeNull()
        expect([await isThere(order.id), await isThere(copy.id)]).toEqual([true, true])
      })
    }

    quietly("stays when a session of its was authorized", async () => {
      const { payment, order } = await linked()
      await sql().raw("update payment_session set status = 'authorized' where id = :id", {
        id: payment.sessionId,
      })
      await finishCompletions(store.container)
      expect(await isThere(order.id)).toBe(true)
    })
  })

  quietly("is not looked for after a completion that ended, with an order or without", async () => {
    const shopper = new Shopper(store)
    const payment = await shopper.checkout()
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    const carts = store.container.resolve(Modules.CART)
    const [way] = await carts.listShippingMethods({ cart_id: payment.cartId })
    await carts.deleteShippingMethods([way?.id ?? ""])
    expect((await shopper.complete(payment.cartId)).status).toBe(400)
    // The mark goes when the answer is out.
    await eventually("the mark is gone", async () => {
      const row = await store.module.findBySession(payment.sessionId)
      return row?.state === "paid" && row.placing_at === null
    })
  })
})

interface Sql {
  raw(statement: string, values: Record<string, unknown>): Promise<unknown>
}
