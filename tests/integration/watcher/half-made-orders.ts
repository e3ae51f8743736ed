import { randomUUID } from "node:crypto"

import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { COMPLETION_ID } from "../../../src/payments/statements/transactions"
import {
  beginCompletion,
  finishCompletions,
  finishKilledCompletion,
} from "../../../src/payments/core"
import { Queue } from "../../../src/payments/queue"
import { settleTransactionWorkflow } from "../../../src/workflows"
import { adminOf } from "../admin"
import { atLabelledPoints } from "../at-labelled-points"
import { withoutWatcher } from "../passes"
import { act, expectOnlyAsSeen, listedProblems } from "../problems-of"
import { settleDue } from "../settle-due"
import {
  expectPaidOrder,
  type OpenPayment,
  ordersOf,
  payToOrder,
  payUntilSettled,
  Shopper,
} from "../shopper"
import { eventually, settledRow, type TestStore } from "../store"
import { tryUntilAPersonIsAsked } from "../try-until-a-person-is-asked"

const LAST_ITEM = 2
const MINUTE = 60_000
/** The refusals of what a person has not seen. */
const AS_SEEN = { amount: "other_sum", order_id: "other_order" }

// How core comes to leave such orders is in tests/instances/kills.test.ts.
export function halfMadeOrders(store: TestStore): void {
  const shopper = new Shopper(store)
  const admin = adminOf(store)

  /** A cart whose completion began so long ago and was not seen to end, and the order that it left. */
  async function left(ago = 5 * MINUTE) {
    const payment = await shopper.checkout()
    const completed = await begun(payment, ago)
    return { payment, completed, order: await makeOrder(payment) }
  }

  async function begun({ sessionId, cartId }: OpenPayment, ago: number) {
    const row = await store.module.findBySession(sessionId)
    const completed = { id: row?.id ?? "", cart_id: cartId }
    await beginCompletion(store.container, completed)
    const { completion } = await store.module.retrieveTransaction(completed.id)
    if (!completion) throw new Error("No completion has begun")
    const beganAt = new Date(Date.now() - ago).toISOString()
    await store.module.updateTransactions({
      id: completed.id,
      completion: { ...completion, beganAt },
    })
    return completed
  }

  /** Makes the order that `createOrdersStep` of a completion makes. */
  async function makeOrder({ cartId }: OpenPayment, changes: Record<string, unknown> = {}) {
    const carts = store.container.resolve(Modules.CART)
    const relations = ["items.adjustments", "shipping_methods"]
    const cart = await carts.retrieveCart(cartId, { relations })
    const { email, currency_code, customer_id, region_id, sales_channel_id, metadata } = cart
    const items = cart.items?.map(({ title, variant_id, quantity, unit_price, adjustments }) => ({
      ...{ title, variant_id, quantity: Number(quantity), unit_price: Number(unit_price) },
      adjustments: adjustments?.map(({ code, amount }) => ({ code, amount: Number(amount) })),
    }))
    const shipping_methods = cart.shipping_methods?.map(({ name, amount, shipping_option_id }) => ({
      name,
      amount: Number(amount),
      shipping_option_id,
    }))
    const orders = await store.container.resolve(Modules.ORDER).createOrders([
      {
        ...{ email, currency_code, customer_id, region_id, sales_channel_id, metadata },
        ...{ status: "pending", items, shipping_methods, ...changes },
      },
    ] as never)
    const [order] = orders as { id: string; display_id: number }[]
    if (!order) throw new Error("No order was made")
    return order
  }

  /** And what its links are then. */
  async function linkOrder({ id }: { id: string }, { cartId, collectionId }: OpenPayment) {
    const order = { [Modules.ORDER]: { order_id: id } }
    await store.container.resolve(ContainerRegistrationKeys.LINK).create([
      { ...order, [Modules.CART]: { cart_id: cartId } },
      { ...order, [Modules.PAYMENT]: { payment_collection_id: collectionId } },
    ])
  }

  /** Reserves its items, as core does. */
  async function reserve({ id }: { id: string }) {
    const query = store.container.resolve(ContainerRegistrationKeys.QUERY)
    const { data } = await query.graph({
      entity: "order",
      fields: ["items.id", "items.variant.inventory_items.inventory_item_id"],
      filters: { id },
    })
    const [order] = data as unknown as { items: OrderedItem[] }[]
    const inventory = store.container.resolve(Modules.INVENTORY)
    for (const { id: line_item_id, variant } of order?.items ?? []) {
      for (const { inventory_item_id } of variant.inventory_items) {
        const [level] = await inventory.listInventoryLevels({ inventory_item_id })
        const location_id = level?.location_id ?? ""
        await inventory.createReservationItems([
          { line_item_id, inventory_item_id, location_id, quantity: 1 },
        ])
      }
    }
  }

  /** Two who want the last item: the first one has it, and the second one has paid, too. */
  async function outOfStock({ callback = true } = {}) {
    const variantId = store.shop.variantIds[LAST_ITEM] ?? ""
    const [first, second] = [
      await shopper.checkout("sbp", { variantId }),
      await shopper.checkout("sbp", { variantId }),
    ]
    await payUntilSettled(store, first)
    await store.simulator.pay(second.data.transaction_id, { callback })
    return { first, second }
  }

  /** Core refuses the cart from now on, before it makes an order: its delivery is for other goods. */
  async function refuseDelivery(cartId: string) {
    const { shipping_methods: [chosen] = [] } = await store.container
      .resolve(Modules.CART)
      .retrieveCart(cartId, { relations: ["shipping_methods"] })
    const delivery = store.container.resolve(Modules.FULFILLMENT)
    const other = await delivery.createShippingProfiles({ name: "Other goods", type: "other" })
    await delivery.updateShippingOptions(chosen?.shipping_option_id ?? "", {
      shipping_profile_id: other.id,
    })
  }

  const quietly = (what: string, work: () => Promise<void>) => {
    it(what, () => withoutWatcher(store, work))
  }

  const sql = () => store.container.resolve<Sql>(ContainerRegistrationKeys.PG_CONNECTION)

  const markOf = async ({ id }: { id: string }) =>
    (await store.module.retrieveTransaction(id)).completion

  /** How often the shop was told of the order. */
  const toldOf = ({ id }: { id: string }) =>
    store.events.filter(({ name, data }) => name === "order.placed" && data.id === id).length

  /** The open problems that tell a person of the order. */
  const told = async ({ id }: { id: string }) =>
    await store.module.listProblems({ order_id: id, kind: "order_half_made", closed_at: null })

  const cancel = async ({ id }: { id: string }) => {
    expect((await admin.post(`/admin/orders/${id}/cancel`)).status).toBe(200)
    return admin
  }

  quietly(
    "waits for a person who cancels it, and the cart gets no second one meanwhile (promise 11)",
    async () => {
      const { payment, completed, order } = await left(MINUTE)
      await store.simulator.pay(payment.data.transaction_id)
      await tryUntilAPersonIsAsked(store, payment)
      expect(await told(order)).toMatchObject([
        { facts: { isLinked: false, cart: payment.cartId } },
      ])
      const [paid] = await store.module.listProblems({
        kind: "paid_without_order",
        closed_at: null,
      })
      expect(paid?.transaction_row_id).toBe(completed.id)
      expect(await shopper.complete(payment.cartId)).toMatchObject({ status: 400 })
      expect(await ordersOf(store, payment.cartId)).toEqual([])

      const admin = await cancel(order)
      expect((await act(admin, paid!, "retry")).status).toBe(200)
      await settledRow(store, payment.sessionId)
      expect((await expectPaidOrder(store, payment.cartId)).id).not.toBe(order.id)
      expect(await markOf(completed)).toBeNull()
      await eventually("nobody is asked any more", async () => !(await told(order)).length)
    }
  )

  quietly("becomes the cart's order when a person says so (promise 11)", async () => {
    const { payment, completed, order } = await left(MINUTE)
    await store.simulator.pay(payment.data.transaction_id)
    await tryUntilAPersonIsAsked(store, payment)
    const [waiting] = await told(order)
    expect(await listedProblems(admin, `id=${waiting!.id}`)).toMatchObject([
      { actions: ["link_order", "replace_order"] },
    ])
    await expectOnlyAsSeen({ store, admin }, waiting!, "link-order", { codes: AS_SEEN })
    expect(await ordersOf(store, payment.cartId)).toEqual([])
    expect((await act(admin, waiting!, "link-order")).status).toBe(200)
    expect((await expectPaidOrder(store, payment.cartId)).id).toBe(order.id)
    expect(await told(order)).toMatchObject([
      { id: waiting!.id, facts: { isLinked: true, unreserved: [expect.any(String)] } },
    ])
    expect(await markOf(completed)).toBeNull()
    await eventually("the shop hears of it", async () => toldOf(order) === 1)
    expect((await act(admin, waiting!, "replace-order")).status).toBe(400)
  })

  quietly("is canceled and placed anew when a person says so (promise 11)", async () => {
    const { payment, completed, order } = await left(MINUTE)
    await store.simulator.pay(payment.data.transaction_id)
    await tryUntilAPersonIsAsked(store, payment)
    const [waiting] = await told(order)
    await expectOnlyAsSeen({ store, admin }, waiting!, "replace-order", { codes: AS_SEEN })
    const orders = store.container.resolve(Modules.ORDER)
    expect((await orders.retrieveOrder(order.id)).canceled_at).toBeNull()
    expect((await act(admin, waiting!, "replace-order")).status).toBe(200)
    const placed = await expectPaidOrder(store, payment.cartId)
    expect(placed.id).not.toBe(order.id)
    await eventually("nobody is asked any more", async () => !(await told(order)).length)
    expect(await markOf(completed)).toBeNull()
  })

  quietly(
    "frees the cart when it is canceled, also if it was linked to the cart's payments alone",
    async () => {
      const { payment, order } = await left(MINUTE)
      await store.container.resolve(ContainerRegistrationKeys.LINK).create({
        [Modules.ORDER]: { order_id: order.id },
        [Modules.PAYMENT]: { payment_collection_id: payment.collectionId },
      })
      await finishCompletions(store.container)
      await expect(finishKilledCompletion(store.container, payment.cartId)).rejects.toThrow()
      await cancel(order)
      await eventually("its problem is closed", async () => (await told(order)).length === 0)
      expect((await payToOrder(store, payment)).id).not.toBe(order.id)
    }
  )

  quietly(
    "is found after attempts that could not look, because the dead process still held the cart",
    async () => {
      const { payment, completed, order } = await left(MINUTE)
      await linkOrder(order, payment)
      const mark = await markOf(completed)
      const locking = store.container.resolve(Modules.LOCKING)
      await locking.acquire(payment.cartId, { ownerId: "the dead", expire: 60 })
      for (let attempt = 0; attempt < 2; attempt++) {
        await expect(beginCompletion(store.container, completed, 100)).rejects.toThrow()
      }
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      const { longestWaitMs } = Queue
      Queue.longestWaitMs = 8_000
      const answer = await shopper.complete(payment.cartId)
      Queue.longestWaitMs = longestWaitMs
      expect(answer).toMatchObject({
        status: 400,
        data: { message: expect.stringContaining("being completed right now") },
      })
      expect(await markOf(completed)).toEqual(mark)
      await locking.release(payment.cartId, { ownerId: "the dead" })
      expect((await shopper.complete(payment.cartId)).status).toBe(200)
      await settledRow(store, payment.sessionId)
      expect((await expectPaidOrder(store, payment.cartId)).id).toBe(order.id)
    }
  )

  quietly("waits also when core had refused it, and could not take it back", async () => {
    const { first, second } = await outOfStock()
    const core = failsToRollBack(store, "order")
    await tryUntilAPersonIsAsked(store, second).finally(core.restore)
    expect(core.hasFailed()).toBe(true)
    const [left] = await store.module.listProblems({ kind: "order_half_made", closed_at: null })
    expect(left).toMatchObject({ facts: { isLinked: false, cart: second.cartId } })
    const orders = store.container.resolve(Modules.ORDER)
    expect(await orders.listOrders({})).toHaveLength(2)
    expect((await ordersOf(store, first.cartId)).length).toBe(1)
    expect(await ordersOf(store, second.cartId)).toEqual([])
  })

  quietly("takes the money although core had refused it, when core left it linked", async () => {
    const { second } = await outOfStock()
    const core = failsToRollBack(store, "links")
    const row = await eventually("it is settled", async () => {
      await settleDue(store)
      const found = await store.module.findBySession(second.sessionId)
      return found?.settled_at ? found : null
    }).finally(core.restore)
    expect(core.hasFailed()).toBe(true)
    const order = await expectPaidOrder(store, second.cartId)
    expect(await told(order)).toMatchObject([
      { facts: { isLinked: true, unreserved: [expect.any(String)] } },
    ])
    expect(await markOf(row)).toBeNull()
  })

  quietly("waits when core could not take back a shopper's own completion", async () => {
    const { second } = await outOfStock({ callback: false })
    const core = failsToRollBack(store, "order")
    const left = await eventually("core could not roll back", async () => {
      const { status } = await shopper.complete(second.cartId)
      return status === 200 ? "linked" : core.hasFailed() && "unlinked"
    }).finally(core.restore)
    if (left === "linked") {
      // Core's engine broke off by itself before it could roll back, as it does where its database is slow.
      const [told] = await store.module.listProblems({ kind: "order_half_made", closed_at: null })
      expect(told).toMatchObject({ cart_id: second.cartId, facts: { isLinked: true } })
      return
    }
    await eventually("a person is told", async () => {
      const [left] = await store.module.listProblems({ kind: "order_half_made" })
      return left?.cart_id === second.cartId && left.facts.isLinked === false
    })
    expect((await shopper.complete(second.cartId)).status).toBe(400)
  })

  quietly("has the mark of whoever completes the cart, also of one that waits for it", async () => {
    const payment = await shopper.checkout()
    const waiting = await begun(payment, 0)
    const before = await markOf(waiting)
    await store.simulator.pay(payment.data.transaction_id, { callback: false })
    const id = waiting.id
    const seen: (typeof before)[] = []
    const letGo = atLabelledPoints(async (point) => {
      if (point !== "authorize:judged") return
      // The waiting one gives up meanwhile, and its mark stays.
      if (before) await store.module.completionMarks.end({ id, completion: before })
      seen.push(await markOf(waiting))
    })
    await settleTransactionWorkflow(store.container)
      .run({ input: { transaction_row_id: id } })
      .finally(letGo)
    expect(seen).toMatchObject([{ id: before?.id, isHeld: true }])
    await expectPaidOrder(store, payment.cartId)
    expect(await markOf(waiting)).toBeNull()
  })

  quietly("is told from every order that only looks like it", async () => {
    const payment = await shopper.checkout()
    const completed = await begun(payment, 5 * MINUTE)
    const other = await shopper.checkout()
    await linkOrder(await makeOrder(payment), other)
    await makeOrder(payment, { metadata: null })
    await makeOrder(payment, { metadata: { [COMPLETION_ID]: randomUUID() } })
    await finishCompletions(store.container)
    expect(await markOf(completed)).toBeNull()
    expect(await store.module.listProblems({ kind: "order_half_made" })).toEqual([])
    await payToOrder(store, payment)
  })

  quietly(
    "is told of once by the watcher, and known beside what the storefront keeps in the metadata",
    async () => {
      const payment = await shopper.checkout()
      const carts = store.container.resolve(Modules.CART)
      await carts.updateCarts([{ id: payment.cartId, metadata: { gift: true } }])
      const completed = await begun(payment, 5 * MINUTE)
      expect((await carts.retrieveCart(payment.cartId)).metadata).toEqual({
        gift: true,
        [COMPLETION_ID]: expect.any(String),
      })
      const order = await makeOrder(payment)
      await finishCompletions(store.container)
      expect(await told(order)).toMatchObject([{ transaction_row_id: completed.id }])
      expect(await store.module.completionMarks.findUnfinished()).toEqual([])
    }
  )

  describe("that is linked to its cart", () => {
    async function linked() {
      const found = await left()
      await linkOrder(found.order, found.payment)
      return found
    }

    quietly("is reported when the payment that was opened for it afterwards is over", async () => {
      const { id: cartId } = await shopper.cart()
      const collectionId = await shopper.collection(cartId)
      // Another provider's completion has left it, so there is no mark.
      const order = await makeOrder({ cartId, collectionId } as OpenPayment)
      await linkOrder(order, { cartId, collectionId } as OpenPayment)
      const payment = await shopper.openIn(collectionId, cartId)
      const id = (await store.module.findBySession(payment.sessionId))?.id ?? ""
      await store.simulator.setStatus(payment.data.transaction_id, "EXPIRED", { callback: false })
      await store.module.updateTransactions({ id, expires_at: new Date(Date.now() - 5 * MINUTE) })
      await settleTransactionWorkflow(store.container).run({ input: { transaction_row_id: id } })
      expect(await store.module.findBySession(payment.sessionId)).toMatchObject({
        state: "expired",
      })
      expect(await store.module.listProblems({ order_id: order.id })).toMatchObject([
        { kind: "order_unpaid", closed_at: null },
      ])
    })

    quietly("takes the money, and a person is told what it may lack (promise 11)", async () => {
      const { payment, completed, order } = await linked()
      expect((await payToOrder(store, payment)).id).toBe(order.id)
      expect(await told(order)).toMatchObject([{ facts: { isLinked: true } }])
      expect(toldOf(order)).toBe(1)
      expect(await markOf(completed)).toBeNull()
    })

    quietly("lacks what is not reserved, also when core had come to the end", async () => {
      const { completed, order } = await linked()
      await store.module.completionMarks.note(completed.cart_id, { isAsked: true })
      await finishCompletions(store.container)
      expect(await told(order)).toMatchObject([{ facts: { unreserved: [expect.any(String)] } }])
    })

    quietly("is told of by the watcher, unpaid, and though all is reserved", async () => {
      const { completed, order } = await linked()
      await reserve(order)
      await finishCompletions(store.container)
      expect(await told(order)).toMatchObject([{ facts: { isLinked: true, unreserved: [] } }])
      await eventually("the shop hears of it", async () => toldOf(order) === 1)
      expect(await markOf(completed)).toBeNull()
    })
  })

  describe("or that is whole, and nobody was told of", () => {
    async function whole(ago?: number) {
      const found = await left(ago)
      await linkOrder(found.order, found.payment)
      await reserve(found.order)
      await store.module.completionMarks.note(found.payment.cartId, { isAsked: true })
      return found
    }

    quietly("is told of by the watcher, once", async () => {
      const { completed, order } = await whole()
      await finishCompletions(store.container)
      await eventually("it is told of", async () => toldOf(order) > 0)
      await finishCompletions(store.container)
      expect(await store.module.retrieveTransaction(completed.id)).toMatchObject({
        completion: null,
        order_id: order.id,
      })
      expect(toldOf(order)).toBe(1)
    })

    quietly("is told of although it has been captured, and our row knows it", async () => {
      const { completed, order } = await whole()
      await store.module.updateTransactions({
        id: completed.id,
        order_id: order.id,
        settled_at: new Date(),
      })
      await finishCompletions(store.container)
      await eventually("it is told of", async () => toldOf(order) > 0)
    })

    quietly("is left to the watcher while core may just be telling of it", async () => {
      const { completed, order } = await whole(MINUTE)
      await finishKilledCompletion(store.container, completed.cart_id)
      await finishCompletions(store.container)
      expect(await markOf(completed)).not.toBeNull()
      // The shop's own telling of another order is heard after it would have been.
      const other = await whole()
      await finishCompletions(store.container)
      await eventually("the other is told of", async () => toldOf(other.order) > 0)
      expect(toldOf(order)).toBe(0)
    })

    quietly("is not told of when a person canceled it", async () => {
      const { completed, order } = await whole()
      const { id } = order
      const canceled = "status = 'canceled', canceled_at = now()"
      await sql().raw(`update "order" set ${canceled} where id = :id`, { id })
      const other = await whole()
      await finishCompletions(store.container)
      await eventually("the other is told of", async () => toldOf(other.order) > 0)
      expect(await markOf(completed)).toBeNull()
      expect(toldOf(order)).toBe(0)
    })

    quietly("is told of once when core did, though nobody waited for the answer", async () => {
      const payment = await shopper.checkout()
      await store.simulator.pay(payment.data.transaction_id, { callback: false })
      // The mark of a completion whose shopper has gone: it is not ended with the answer.
      const ended = jest.spyOn(store.module.completionMarks, "end").mockResolvedValue()
      try {
        expect((await shopper.complete(payment.cartId)).status).toBe(200)
        const row = await settledRow(store, payment.sessionId)
        await eventually("the mark is gone", async () => !(await markOf(row)))
        const [id = ""] = await ordersOf(store, payment.cartId)
        expect(toldOf({ id })).toBe(1)
      } finally {
        ended.mockRestore()
      }
    })
  })

  quietly(
    "is told of at once when its process was only slow, and core takes the paid order back",
    async () => {
      const { cartId, sessionId, data } = await shopper.checkout()
      await store.simulator.pay(data.transaction_id, { callback: false })
      const inventory = store.container.resolve(Modules.INVENTORY)
      let standStill = () => {}
      let goOn = () => {}
      const stands = new Promise<void>((resolve) => (standStill = resolve))
      const released = new Promise<void>((resolve) => (goOn = resolve))
      const reserving = jest
        .spyOn(inventory, "createReservationItems")
        // The settle before the shopper's completion fails, the completion itself stands still.
        .mockRejectedValueOnce(new Error("is away"))
        .mockImplementationOnce(async () => {
          standStill()
          await released
          throw new Error("is away")
        })
      try {
        const completed = shopper.complete(cartId)
        await stands
        // Core's lock has expired.
        await store.container.resolve(Modules.LOCKING).release(cartId)
        await eventually("another process takes the money", async () => {
          await settleDue(store)
          return (await store.module.findBySession(sessionId))?.settled_at
        })
        goOn()
        expect((await completed).status).not.toBe(200)
        await eventually("a person is told", async () => {
          const told = await store.module.listProblems({ closed_at: null })
          return told.some(({ facts }) => facts.exception === "session_gone")
        })
      } finally {
        goOn()
        reserving.mockRestore()
      }
    }
  )

  quietly(
    "is told of when core takes the cart for that of an order that is not there",
    async () => {
      const payment = await shopper.checkout()
      await linkOrder({ id: "order_gone" }, payment)
      await store.simulator.pay(payment.data.transaction_id)
      await tryUntilAPersonIsAsked(store, payment)
      const row = await store.module.findBySession(payment.sessionId)
      expect(row).toMatchObject({
        exception: "completion_failed",
        exception_reasons: [{ code: "not_taken" }],
      })
    }
  )

  quietly("is not looked for after core refused, also a shopper who has hung up", async () => {
    const { cartId, sessionId, data } = await shopper.checkout()
    await store.simulator.pay(data.transaction_id, { callback: false })
    await refuseDelivery(cartId)
    const rowOf = async () => await store.module.findBySession(sessionId)
    expect((await shopper.complete(cartId)).status).toBe(400)
    await eventually("the mark is gone", async () => (await rowOf())?.completion === null)

    const locking = store.container.resolve(Modules.LOCKING)
    await locking.acquire(cartId, { ownerId: "another tab", expire: 60 })
    const hangUp = new AbortController()
    const address = `/store/carts/${cartId}/complete`
    const completed = store.http.post(address, {}, { signal: hangUp.signal })
    await eventually("core waits for the cart", async () => (await rowOf())?.completion)
    hangUp.abort()
    await expect(completed).rejects.toThrow()
    await locking.release(cartId, { ownerId: "another tab" })
    await eventually("the mark is gone", async () => (await rowOf())?.completion === null)
    expect(await ordersOf(store, cartId)).toEqual([])
  })
}

interface OrderedItem {
  id: string
  variant: { inventory_items: { inventory_item_id: string }[] }
}

interface Sql {
  raw(statement: string, values: Record<string, unknown>): Promise<{ rows: unknown[] }>
}

/** Core's own rollback of an order fails from now on, perhaps that of its links, too; nobody else's does. */
function failsToRollBack({ container }: TestStore, what: "order" | "links") {
  let hasFailed = false
  const failing =
    <Input extends unknown[], Output>(work: (...input: Input) => Promise<Output>) =>
    async (...input: Input) => {
      if (!/core-flows/.test(new Error().stack ?? "")) return await work(...input)
      hasFailed = true
      throw new Error("is away")
    }
  const orders = container.resolve(Modules.ORDER)
  const link = container.resolve(ContainerRegistrationKeys.LINK)
  const deleteOrders = failing(orders.deleteOrders.bind(orders))
  const ofOrder = jest.spyOn(orders, "deleteOrders").mockImplementation(deleteOrders)
  const dismiss = failing(link.dismiss.bind(link))
  const ofLinks = what === "links" ? jest.spyOn(link, "dismiss").mockImplementation(dismiss) : null
  const restore = () => {
    ofOrder.mockRestore()
    ofLinks?.mockRestore()
  }
  return { hasFailed: () => hasFailed, restore }
}
