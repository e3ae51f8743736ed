import { randomUUID } from "node:crypto"

import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { COMPLETION_ID } from "../../../src/payments/statements/transactions"
import { beginCompletion, finishCompletions } from "../../../src/payments/complete-cart"
import { adminOf } from "../admin"
import { withoutWatcher } from "../passes"
import { act, expectOnlyAsSeen, listedProblems, saying } from "../problems-of"
import { expectPaidOrder, type OpenPayment, ordersOf, payToOrder, Shopper } from "../shopper"
import { eventually, settledRow, type TestStore } from "../store"
import { tryUntilAPersonIsAsked } from "../try-until-a-person-is-asked"

const MINUTE = 60_000
const TOWEL = "Льняное полотенце"
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
    const relations = ["items", "shipping_methods"]
    const cart = await carts.retrieveCart(cartId, { relations })
    const { email, currency_code, customer_id, region_id, sales_channel_id, metadata } = cart
    const items = cart.items?.map(({ title, variant_id, quantity, unit_price }) => ({
      ...{ title, variant_id, quantity: Number(quantity), unit_price: Number(unit_price) },
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

  const markOf = async ({ id }: { id: string }) =>
    (await store.module.retrieveTransaction(id)).completion

  /** How often the shop was told of the order. */
  const toldOf = ({ id }: { id: string }) =>
    store.events.filter(({ name, data }) => name === "order.placed" && data.id === id).length

  /** The open problems that tell a person of the order. */
  const told = async ({ id }: { id: string }) =>
    await store.module.listProblems({ order_id: id, kind: "order_half_made", closed_at: null })

  /** An order that core has not linked to its paid cart, of which a person was told. */
  async function waiting() {
    const found = await left(MINUTE)
    await store.simulator.pay(found.payment.data.transaction_id)
    await tryUntilAPersonIsAsked(store, found.payment)
    const [problem] = await told(found.order)
    expect(problem).toMatchObject({ facts: { isLinked: false, cart: found.payment.cartId } })
    return { ...found, problem: problem! }
  }

  /** The paid cart has another order, and nobody is asked any more. */
  async function isPlacedAnew({ payment, completed, order }: Awaited<ReturnType<typeof left>>) {
    expect((await expectPaidOrder(store, payment.cartId)).id).not.toBe(order.id)
    expect(await markOf(completed)).toBeNull()
    await eventually("nobody is asked any more", async () => !(await told(order)).length)
  }

  quietly(
    "waits for a person who cancels it, and the cart gets no second one meanwhile (promise 11)",
    async () => {
      const found = await waiting()
      const { payment, completed, order } = found
      const open = { kind: "paid_without_order" as const, closed_at: null }
      const [paid] = await store.module.listProblems(open)
      expect(paid?.transaction_row_id).toBe(completed.id)
      expect(await shopper.complete(payment.cartId)).toMatchObject({ status: 400 })
      expect(await ordersOf(store, payment.cartId)).toEqual([])

      expect((await admin.post(`/admin/orders/${order.id}/cancel`)).status).toBe(200)
      expect((await act(admin, paid!, "retry")).status).toBe(200)
      await settledRow(store, payment.sessionId)
      await isPlacedAnew(found)
    }
  )

  quietly("becomes the cart's order when a person says so (promise 11)", async () => {
    const { payment, completed, order, problem } = await waiting()
    expect(await listedProblems(admin, `id=${problem.id}`)).toMatchObject([
      { actions: ["link_order", "replace_order"] },
    ])
    await expectOnlyAsSeen({ store, admin }, problem, "link-order", { codes: AS_SEEN })
    expect(await ordersOf(store, payment.cartId)).toEqual([])
    expect((await act(admin, problem, "link-order")).status).toBe(200)
    expect((await expectPaidOrder(store, payment.cartId)).id).toBe(order.id)
    expect(await told(order)).toMatchObject([
      { id: problem.id, facts: { isLinked: true, unreserved: [expect.any(String)] } },
    ])
    expect(await markOf(completed)).toBeNull()
    await eventually("the shop hears of it", async () => toldOf(order) === 1)
    expect((await act(admin, problem, "replace-order")).status).toBe(400)
  })

  quietly("is canceled and placed anew when a person says so (promise 11)", async () => {
    const found = await waiting()
    await expectOnlyAsSeen({ store, admin }, found.problem, "replace-order", { codes: AS_SEEN })
    const orders = store.container.resolve(Modules.ORDER)
    expect((await orders.retrieveOrder(found.order.id)).canceled_at).toBeNull()
    expect((await act(admin, found.problem, "replace-order")).status).toBe(200)
    await isPlacedAnew(found)
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

  quietly(
    "takes the money where it is linked, and a person is told what it lacks (promise 11)",
    async () => {
      const { payment, completed, order } = await left()
      await linkOrder(order, payment)
      expect((await payToOrder(store, payment)).id).toBe(order.id)
      const [problem] = await told(order)
      expect(problem?.facts).toMatchObject({ isLinked: true, unreserved: [TOWEL] })
      expect(saying(problem!).message).toContain(TOWEL)
      expect(toldOf(order)).toBe(1)
      expect(await markOf(completed)).toBeNull()
    }
  )

  describe("or that is whole, and nobody was told of", () => {
    quietly("is told of by the watcher, once", async () => {
      const { payment, completed, order } = await left()
      await linkOrder(order, payment)
      await reserve(order)
      await store.module.completionMarks.note(payment.cartId, { isAsked: true })
      await finishCompletions(store.container)
      await eventually("it is told of", async () => toldOf(order) > 0)
      await finishCompletions(store.container)
      expect(await store.module.retrieveTransaction(completed.id)).toMatchObject({
        completion: null,
        order_id: order.id,
      })
      expect(toldOf(order)).toBe(1)
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
