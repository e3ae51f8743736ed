import { randomUUID } from "node:crypto"

import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"

import { COMPLETION_ID } from "../../../src/modules/payment-service/completion-marks"
import {
  beginCompletion,
  finishCompletions,
  finishKilledCompletion,
} from "../../../src/workflows/completion/half-made-orders"
import { settleTransactionWorkflow } from "../../../src/workflows/published"
import { withoutWatcher } from "../passes"
import { expectPaidOrder, type OpenPayment, ordersOf, Shopper } from "../shopper"
import { eventually, settledRow, type TestStore } from "../store"

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

  /** An order with something about it that no half-made one has. */
  async function leftWith(changes: Record<string, unknown>) {
    const payment = await new Shopper(store).checkout()
    await begun(payment, 5 * MINUTE)
    return { payment, order: await makeOrder(payment, changes) }
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

  const isThere = async (orderId: string) =>
    (await store.container.resolve(Modules.ORDER).listOrders({ id: orderId })).length === 1

  const markOf = async ({ id }: { id: string }) =>
    (await store.module.retrieveTransaction(id)).completion

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
    const broken = jest.spyOn(orders, "deleteOrders").mockRejectedValueOnce(new Error("is away"))
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
      expect(broken).toHaveBeenCalled()
    } finally {
      broken.mockRestore()
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

  quietly("is taken back at once, however young, and logged with its number", async () => {
    const { completed, order } = await left(0)
    await (
      await beginCompletion(store.container, completed)
    )()
    expect(await isThere(order.id)).toBe(false)
    expect(store.log.filter((line) => line.includes(`order #${order.display_id} `))).toHaveLength(1)
    const { rows } = await sql().raw(
      "select count(*) from order_line_item li join order_item i on i.item_id = li.id where i.order_id = :id",
      { id: order.id }
    )
    expect(rows).toEqual([{ count: "0" }])
  })

  quietly("is told from every order that only looks like it", async () => {
    const { payment, completed, order } = await left()
    const other = await new Shopper(store).checkout()
    const othersCart = await makeOrder(payment)
    await linkOrder(othersCart, other)
    const others = {
      "an import of the same lines": await makeOrder(payment, { metadata: null }),
      "of another completion": await makeOrder(payment, {
        metadata: { [COMPLETION_ID]: randomUUID() },
      }),
      "another cart's": othersCart,
    }
    await finishCompletions(store.container)
    expect(await markOf(completed)).toBeNull()
    const gone = await Promise.all(
      Object.entries(others).map(async ([kind, { id }]) => ((await isThere(id)) ? null : kind))
    )
    expect(gone.filter(Boolean)).toEqual([])
    expect(await isThere(order.id)).toBe(false)
    await store.simulator.pay(payment.data.transaction_id)
    await settledRow(store, payment.sessionId)
    await expectPaidOrder(store, payment.cartId)
  })

  quietly("stays when it was used since, which no half-made one is", async () => {
    const used = [
      await leftWith({ transactions: [{ amount: 10, currency_code: "rub" }] }),
      await leftWith({ status: "completed" }),
      await leftWith({ is_draft_order: true, status: "draft" }),
    ]
    await finishCompletions(store.container)
    for (const { order } of used) expect(await isThere(order.id)).toBe(true)
  })

  quietly("stays when it cannot be told from a copy of it", async () => {
    const { payment, order } = await left()
    const copy = await makeOrder(payment)
    await finishCompletions(store.container)
    expect([await isThere(order.id), await isThere(copy.id)]).toEqual([true, true])
  })

  quietly("stays when the storefront has replaced the cart's metadata meanwhile", async () => {
    const { order } = await leftWith({ metadata: { gift: true } })
    await finishCompletions(store.container)
    expect(await isThere(order.id)).toBe(true)
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
    expect(await isThere(order.id)).toBe(false)
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
      quietly(`stays when it ${what}, and so does a copy of it`, async () => {
        const { payment, completed, order } = await linked()
        const copy = await makeOrder(payment)
        await store.module.updateTransactions({ id: completed.id, ...changes })
        await finishCompletions(store.container)
        expect(await markOf(completed)).toBeNull()
        expect([await isThere(order.id), await isThere(copy.id)]).toEqual([true, true])
      })
    }

    quietly("stays when a session of its was authorized since it was made", async () => {
      const { payment, order } = await linked()
      await authorize(payment, "now()")
      await finishCompletions(store.container)
      expect(await isThere(order.id)).toBe(true)
    })

    quietly("is half-made although an earlier attempt was authorized", async () => {
      const { payment, order } = await linked()
      await authorize(payment, "now() - interval '1 hour'")
      await finishCompletions(store.container)
      expect(await isThere(order.id)).toBe(false)
    })
  })

  describe("or that is whole, and nobody was told of", () => {
    async function whole(ago?: number, isHeld?: boolean) {
      const found = await left(ago, isHeld)
      await linkOrder(found.order, found.payment)
      await authorize(found.payment, "now()")
      return found
    }

    const toldOf = ({ id }: { id: string }) =>
      store.events.filter(({ name, data }) => name === "order.placed" && data.id === id).length

    quietly("is told of by the watcher, once", async () => {
      const { completed, order } = await whole()
      await finishCompletions(store.container)
      await eventually("it is told of", async () => toldOf(order) > 0)
      await finishCompletions(store.container)
      expect(await isThere(order.id)).toBe(true)
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
      expect(await finishKilledCompletion(store.container, completed.cart_id)).toBe(false)
      await eventually("it is told of", async () => toldOf(order) > 0)
      expect(await markOf(completed)).toBeNull()
    })

    quietly("is left to the watcher while core may just be telling of it", async () => {
      const { completed, order } = await whole(MINUTE)
      expect(await finishKilledCompletion(store.container, completed.cart_id)).toBe(false)
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

  describe("and that has used promotions", () => {
    const budgets: [string, Record<string, unknown>, number][] = [
      ["a number of times", { limit: 1 }, 1],
      ["by how often it is used", { budget: { type: "usage", limit: 1 } }, 1],
      [
        "by what is spent on it",
        { budget: { type: "spend", limit: 15, currency_code: "rub" } },
        10,
      ],
      [
        "by the customer",
        { budget: { type: "use_by_attribute", attribute: "customer_email", limit: 1 } },
        1,
      ],
    ]

    /** A promotion of ten rubles. */
    async function promote({ limit, budget }: Record<string, unknown>) {
      const code = randomUUID()
      const [promotion] = await store.container.resolve(Modules.PROMOTION).createPromotions([
        {
          code,
          type: "standard",
          status: "active",
          limit,
          application_method: {
            type: "fixed",
            target_type: "items",
            allocation: "across",
            value: 10,
            currency_code: "rub",
          },
          ...(budget ? { campaign: { name: code, campaign_identifier: code, budget } } : {}),
        },
      ] as never)
      return { code, id: promotion?.id ?? "" }
    }

    async function promoted(promotion: { code: string }) {
      const shopper = new Shopper(store)
      const { id } = await shopper.cart()
      const answer = await shopper.raw("post", `/store/carts/${id}/promotions`, {
        promo_codes: [promotion.code],
      })
      expect(answer.status).toBe(200)
      const payment = await shopper.open(id)
      const completed = await begun(payment, 5 * MINUTE)
      return { payment, completed, order: await makeOrder(payment) }
    }

    /** Counts the promotion's use, as `registerUsageStep` of a completion does. */
    async function use({ cartId }: OpenPayment) {
      const { customer_id, email, items } = await store.container
        .resolve(Modules.CART)
        .retrieveCart(cartId, { relations: ["items.adjustments"] })
      const used = (items ?? []).flatMap(({ adjustments = [] }) => adjustments)
      await store.container.resolve(Modules.PROMOTION).registerUsage(
        used.map(({ code = "", amount }) => ({ code, amount })),
        { customer_id: customer_id ?? null, customer_email: email ?? null }
      )
    }

    const usedOf = async ({ id }: { id: string }) => {
      const promotion = (await store.container
        .resolve(Modules.PROMOTION)
        .retrievePromotion(id, { relations: ["campaign.budget.usages"] })) as {
        used?: number
        campaign?: { budget?: { used: unknown; type: string; usages: { used: unknown }[] } }
      }
      const budget = promotion.campaign?.budget
      const times = budget?.type === "use_by_attribute" ? budget.usages[0]?.used : budget?.used
      return Number(budget ? (times ?? 0) : promotion.used)
    }

    for (const [how, limits, once] of budgets) {
      quietly(`gives the use of one back that is limited ${how}`, async () => {
        const promotion = await promote(limits)
        const { payment } = await promoted(promotion)
        await use(payment)
        expect(await usedOf(promotion)).toBe(once)
        await finishCompletions(store.container)
        expect(await usedOf(promotion)).toBe(0)
        await store.simulator.pay(payment.data.transaction_id)
        await settledRow(store, payment.sessionId)
        await expectPaidOrder(store, payment.cartId)
        expect(await usedOf(promotion)).toBe(once)
      })
    }

    quietly("gives nothing back that it had not come to use", async () => {
      const promotion = await promote({ limit: 3 })
      const before = await promoted(promotion)
      await use(before.payment)
      const { order } = await promoted(promotion)
      await store.module.completionMarks.recordOrderPlaced(before.order.id, [
        before.payment.collectionId,
      ])
      await finishCompletions(store.container)
      expect(await isThere(order.id)).toBe(false)
      expect(await usedOf(promotion)).toBe(1)
    })

    quietly("gives it back once, though it is interrupted before the order is gone", async () => {
      const promotion = await promote({ limit: 3 })
      const before = await promoted(promotion)
      await use(before.payment)
      await store.module.completionMarks.recordOrderPlaced(before.order.id, [
        before.payment.collectionId,
      ])
      const { payment, order } = await promoted(promotion)
      await use(payment)
      const orders = store.container.resolve(Modules.ORDER)
      const broken = jest.spyOn(orders, "deleteOrders").mockRejectedValueOnce(new Error("is away"))
      try {
        await finishCompletions(store.container)
        expect(await isThere(order.id)).toBe(true)
        await finishCompletions(store.container)
      } finally {
        broken.mockRestore()
      }
      expect(await isThere(order.id)).toBe(false)
      expect(await usedOf(promotion)).toBe(1)
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
