import { randomUUID } from "node:crypto"

import type { IOrderModuleService } from "@medusajs/framework/types"
import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { COMPLETION_ID } from "../../../src/modules/payment-service/completion-marks"
import {
  beginCompletion,
  finishCompletions,
  finishKilledCompletion,
} from "../../../src/workflows/completion/half-made-orders"
import { settleTransactionWorkflow } from "../../../src/workflows"
import { logIn } from "../admin"
import { atLabelledPoints } from "../at-labelled-points"
import { withoutWatcher } from "../passes"
import { act } from "../problems-of"
import { expectPaidOrder, type OpenPayment, ordersOf, Shopper } from "../shopper"
import { eventually, settledRow, type TestStore } from "../store"
import { tryUntilAPersonIsAsked } from "../try-until-a-person-is-asked"

const LAST_ITEM = 2
const MINUTE = 60_000

// How core comes to leave such orders is in tests/instances/kills.test.ts.
export function halfMadeOrders(store: TestStore): void {
  /** A cart whose completion began so long ago and was not seen to end, and the order that it left. */
  async function left(ago = 5 * MINUTE, isHeld = false) {
    const payment = await new Shopper(store).checkout()
    const completed = await begun(payment, ago, isHeld)
    return { payment, completed, order: await makeOrder(payment) }
  }

  async function begun({ sessionId, cartId }: OpenPayment, ago: number, isHeld = false) {
    const row = await store.module.findBySession(sessionId)
    const completed = { id: row?.id ?? "", cart_id: cartId }
    await beginCompletion(store.container, completed, { isHeld })
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
    const {
      email,
      currency_code,
      customer_id,
      region_id,
      sales_channel_id,
      metadata,
      items,
      shipping_methods,
    } = await carts.retrieveCart(cartId, {
      relations: ["items.adjustments", "shipping_methods"],
    })
    const orders = await store.container.resolve(Modules.ORDER).createOrders([
      {
        email,
        currency_code,
        customer_id,
        region_id,
        sales_channel_id,
        metadata,
        status: "pending",
        items: (items ?? []).map(({ title, variant_id, quantity, unit_price, adjustments }) => ({
          title,
          variant_id,
          quantity: Number(quantity),
          unit_price: Number(unit_price),
          adjustments: (adjustments ?? []).map(({ code, amount }) => ({
            code,
            amount: Number(amount),
          })),
        })),
        shipping_methods: (shipping_methods ?? []).map(({ name, amount, shipping_option_id }) => ({
          name,
          amount: Number(amount),
          shipping_option_id,
        })),
        ...changes,
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

  /** Writes what core writes after our answer that it is paid. */
  async function authorize({ sessionId }: OpenPayment, at: string) {
    await sql().raw(
      `update payment_session set status = 'authorized', authorized_at = ${at} where id = :id`,
      { id: sessionId }
    )
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
    const admin = await logIn(store)
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
      expect(await new Shopper(store).complete(payment.cartId)).toMatchObject({ status: 400 })
      expect(await ordersOf(store, payment.cartId)).toEqual([])

      const admin = await cancel(order)
      expect((await act(admin, paid!, "retry")).status).toBe(200)
      await settledRow(store, payment.sessionId)
      expect((await expectPaidOrder(store, payment.cartId)).id).not.toBe(order.id)
      expect(await markOf(completed)).toBeNull()
      expect(await told(order)).toEqual([])
    }
  )

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
      await store.simulator.pay(payment.data.transaction_id)
      await settledRow(store, payment.sessionId)
      expect((await expectPaidOrder(store, payment.cartId)).id).not.toBe(order.id)
    }
  )

  quietly("is found by the watcher when nobody tries again, and told once", async () => {
    const { payment, completed, order } = await left()
    await finishCompletions(store.container)
    const [problem] = await told(order)
    expect(problem).toMatchObject({ transaction_row_id: completed.id })
    expect(await store.module.completionMarks.findUnfinished()).toEqual([])
    await cancel(order)
    await store.simulator.pay(payment.data.transaction_id)
    await settledRow(store, payment.sessionId)
    await expectPaidOrder(store, payment.cartId)
  })

  quietly(
    "is found after attempts that could not look, because the dead process still held the cart",
    async () => {
      const { payment, completed, order } = await left(MINUTE)
      await linkOrder(order, payment)
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
      await settledRow(store, payment.sessionId)
      expect((await expectPaidOrder(store, payment.cartId)).id).toBe(order.id)
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
    const core = rollsNothingBack(orders)
    try {
      await simulator.pay(second.data.transaction_id, { callback: false })
      const row = await module.findBySession(second.sessionId)
      const settle = async () => {
        const input = { transaction_row_id: row?.id ?? "" }
        await settleTransactionWorkflow(container).run({ input })
        const [reason] = (await module.findBySession(second.sessionId))?.exception_reasons ?? []
        return reason && "code" in reason ? reason.code : null
      }
      // On a slow database, core's engine may stop its workflow in the middle; the next attempt takes the order back then.
      while ((await settle()) === "workflow_broke");
      expect(core.hasFailed()).toBe(true)
    } finally {
      core.restore()
    }
    expect(await module.findBySession(second.sessionId)).toMatchObject({
      exception: "completion_failed",
      exception_reasons: [{ code: "out_of_stock", detail: expect.stringContaining("stock") }],
      completion: null,
    })
    expect(await orders.listOrders({})).toHaveLength(1)
    expect((await ordersOf(store, first.cartId)).length).toBe(1)
    expect(await ordersOf(store, second.cartId)).toEqual([])
  })

  quietly("is taken back when core could not roll back a shopper's own completion", async () => {
    const { container, simulator, shop } = store
    const variantId = shop.variantIds[LAST_ITEM] ?? ""
    const shopper = new Shopper(store)
    const [first, second] = [
      await shopper.checkout("sbp", { variantId }),
      await shopper.checkout("sbp", { variantId }),
    ]
    await simulator.pay(first.data.transaction_id)
    await settledRow(store, first.sessionId)
    await simulator.pay(second.data.transaction_id, { callback: false })
    const orders = container.resolve(Modules.ORDER)
    const core = rollsNothingBack(orders)
    try {
      await eventually("core could not roll back", async () => {
        expect((await shopper.complete(second.cartId)).status).not.toBe(200)
        return core.hasFailed()
      })
    } finally {
      core.restore()
    }
    await eventually("its order is gone", async () => (await orders.listOrders({})).length === 1)
    const ofCart = await store.module.findBySession(second.sessionId)
    await eventually("its mark is gone", async () => !(await markOf({ id: ofCart?.id ?? "" })))
    expect(await store.module.listProblems({ kind: "order_half_made" })).toEqual([])
  })

  quietly("has the mark of whoever completes the cart, also of one that waits for it", async () => {
    const payment = await new Shopper(store).checkout()
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
    const payment = await new Shopper(store).checkout()
    const completed = await begun(payment, 5 * MINUTE)
    const other = await new Shopper(store).checkout()
    await linkOrder(await makeOrder(payment), other)
    await makeOrder(payment, { metadata: null })
    await makeOrder(payment, { metadata: { [COMPLETION_ID]: randomUUID() } })
    await finishCompletions(store.container)
    expect(await markOf(completed)).toBeNull()
    expect(await store.module.listProblems({ kind: "order_half_made" })).toEqual([])
    await store.simulator.pay(payment.data.transaction_id)
    await settledRow(store, payment.sessionId)
    await expectPaidOrder(store, payment.cartId)
  })

  quietly("is known beside what the storefront keeps in the cart's metadata", async () => {
    const payment = await new Shopper(store).checkout()
    const carts = store.container.resolve(Modules.CART)
    await carts.updateCarts([{ id: payment.cartId, metadata: { gift: true } }])
    await begun(payment, 5 * MINUTE)
    expect((await carts.retrieveCart(payment.cartId)).metadata).toEqual({
      gift: true,
      [COMPLETION_ID]: expect.any(String),
    })
    const order = await makeOrder(payment)
    await finishCompletions(store.container)
    expect(await told(order)).toHaveLength(1)
  })

  describe("that is linked to its cart", () => {
    async function linked() {
      const found = await left()
      await linkOrder(found.order, found.payment)
      return found
    }

    quietly("is reported when the payment that was opened for it afterwards is over", async () => {
      const shopper = new Shopper(store)
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
      await store.simulator.pay(payment.data.transaction_id)
      await settledRow(store, payment.sessionId)
      expect((await expectPaidOrder(store, payment.cartId)).id).toBe(order.id)
      expect(await told(order)).toMatchObject([{ facts: { isLinked: true } }])
      expect(toldOf(order)).toBe(1)
      expect(await markOf(completed)).toBeNull()
    })

    quietly("is told of by the watcher, paid or not", async () => {
      const { completed, order } = await linked()
      await finishCompletions(store.container)
      expect(await told(order)).toMatchObject([{ facts: { isLinked: true } }])
      await eventually("the shop hears of it", async () => toldOf(order) === 1)
      expect(await markOf(completed)).toBeNull()
    })

    const signs: [string, Record<string, unknown>][] = [
      ["was told of", { order_id: "order_01" }],
      ["was promised a payment", { deferred_at: new Date() }],
    ]
    for (const [what, changes] of signs) {
      quietly(`lacks nothing when it ${what}`, async () => {
        const { completed, order } = await linked()
        await store.module.updateTransactions({ id: completed.id, ...changes })
        await finishCompletions(store.container)
        expect(await markOf(completed)).toBeNull()
        expect(await told(order)).toEqual([])
      })
    }

    quietly("may lack something although an earlier attempt was authorized", async () => {
      const { payment, order } = await linked()
      await authorize(payment, "now() - interval '1 hour'")
      await finishCompletions(store.container)
      expect(await told(order)).toHaveLength(1)
    })
  })

  describe("or that is whole, and nobody was told of", () => {
    async function whole(ago?: number, isHeld?: boolean) {
      const found = await left(ago, isHeld)
      await linkOrder(found.order, found.payment)
      await authorize(found.payment, "now()")
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

    quietly("is told of before the next attempt when its completion held the cart", async () => {
      const { completed, order } = await whole(0, true)
      await finishKilledCompletion(store.container, completed.cart_id)
      await eventually("it is told of", async () => toldOf(order) > 0)
      expect(await markOf(completed)).toBeNull()
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
      await sql().raw(
        "update \"order\" set status = 'canceled', canceled_at = now() where id = :id",
        {
          id: order.id,
        }
      )
      const other = await whole()
      await finishCompletions(store.container)
      await eventually("the other is told of", async () => toldOf(other.order) > 0)
      expect(await markOf(completed)).toBeNull()
      expect(toldOf(order)).toBe(0)
    })

    quietly("is told of once when core did, though nobody waited for the answer", async () => {
      const shopper = new Shopper(store)
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

  quietly("is not looked for after a settle's completion, as soon as core told of it", async () => {
    const payment = await new Shopper(store).checkout()
    const heard = jest
      .spyOn(store.module.completionMarks, "recordOrderPlaced")
      .mockResolvedValue([])
    try {
      await store.simulator.pay(payment.data.transaction_id)
      expect(await markOf(await settledRow(store, payment.sessionId))).toBeNull()
    } finally {
      heard.mockRestore()
    }
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
      return row?.state === "paid" && row.completion === null
    })
  })
}

interface Sql {
  raw(statement: string, values: Record<string, unknown>): Promise<{ rows: unknown[] }>
}

/** Core's own rollback of an order fails from now on; nobody else's does. */
function rollsNothingBack(orders: IOrderModuleService) {
  const deleteOrders = orders.deleteOrders.bind(orders)
  let hasFailed = false
  const spied = jest.spyOn(orders, "deleteOrders").mockImplementation(async (ids, context) => {
    if (/core-flows/.test(new Error().stack ?? "")) {
      hasFailed = true
      throw new Error("is away")
    }
    await deleteOrders(ids, context)
  })
  return { hasFailed: () => hasFailed, restore: () => spied.mockRestore() }
}
