import { ContainerRegistrationKeys, Modules } from "@medusajs/framework/utils"
import { addToCartWorkflow, updateShippingOptionsWorkflow } from "@medusajs/medusa/core-flows"

import type { ProblemRow } from "../../../src/modules/payment-service"
import { type Admin, adminOf } from "../admin"
import { act } from "../problems-of"
import { expectPaidOrder, type OpenPayment, Shopper } from "../shopper"
import { eventually, type TestStore } from "../store"

export function copiedOrders(store: TestStore): void {
  const admin = adminOf(store)
  const shopper = new Shopper(store)

  it("has its taxes, its discount, its lines that are no products and its price of shipping", async () => {
    await taxed(store)
    await promoted(store)
    const { orderId, problem } = await paidTooLate(store, shopper, admin, {
      prepare: async (cartId) => {
        const line = { title: "Подарочная упаковка", unit_price: 99.99, quantity: 2 }
        await addToCartWorkflow(store.container).run({
          input: { cart_id: cartId, items: [{ ...line, requires_shipping: false }] },
        })
        const used = await shopper.raw("post", `/store/carts/${cartId}/promotions`, {
          promo_codes: ["ONCE"],
        })
        expect(used.status).toBe(200)
      },
    })
    await shippingCosts(store, 777)
    const before = await worth(store, orderId)
    expect(before.items.map(({ title }) => title)).toContain("Подарочная упаковка")
    expect(before.discount_total).toBeGreaterThan(0)
    expect(before.tax_total).toBeGreaterThan(0)

    const answer = await act(admin, problem, "place-order")
    expect(answer).toMatchObject({
      status: 200,
      data: { problem: { resolution: "accepted" }, transaction: { exception: null } },
    })
    const row = await store.module.retrieveTransaction(problem.transaction_row_id ?? "")
    expect(row.order_id).not.toBe(orderId)
    const after = await worth(store, (await expectPaidOrder(store, row.cart_id ?? "")).id)
    expect(after).toEqual(before)
    // The promotion could be used once, and was.
    const [promotion] = await store.container
      .resolve(Modules.PROMOTION)
      .listPromotions({ code: ["ONCE"] })
    expect(promotion).toMatchObject({ limit: 1, used: 1 })
  })

  it("is made once, although two payments of it came too late", async () => {
    const second: { id?: string } = {}
    const { problem } = await paidTooLate(store, shopper, admin, {
      place: async (_orderId, { collectionId, cartId }) => {
        const again = await shopper.openIn(collectionId, cartId, "crypto")
        second.id = again.data.transaction_id
      },
    })
    await store.simulator.pay(second.id ?? "")
    const other = await problemOfPayment(store, second.id ?? "")
    expect(other).toMatchObject({
      kind: "paid_after_change",
      facts: { exception: "order_canceled" },
    })
    const place = (of: ProblemRow) => act(admin, of, "place-order")
    const before = await orderCount(store)
    const answers = await Promise.all([place(problem), place(other)])
    expect(await orderCount(store)).toBe(before + 1)
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400])
    const refused = answers.find(({ status }) => status === 400)
    // It may come when the other one's problem says so already.
    expect(refused?.data.code).toMatch(/^(order_copied|other_actions)$/)

    const loser = answers[0].status === 200 ? other : problem
    const [row] = await store.module.listTransactions({ id: loser.transaction_row_id ?? "" })
    expect(row).toMatchObject({ exception: "paid_twice", settled_at: null })
    const told = await store.module.retrieveProblem(loser.id)
    expect(told).toMatchObject({ kind: "paid_twice", closed_at: null })
    const actions = await admin.get(`/admin/payment-service/problems/${loser.id}`)
    expect(actions.data.problem).toMatchObject({
      actions: expect.not.arrayContaining(["place_order"]),
      message: expect.stringContaining("another payment got a new order in its place"),
    })
  })

  it.each<[string, RegExp, (id: string) => Promise<unknown>]>([
    [
      "a line is to be shipped and is no product",
      /order_\w+.*Подарочная упаковка/,
      (id) =>
        store.container
          .resolve(Modules.ORDER)
          .createOrderLineItems(id, [
            { title: "Подарочная упаковка", quantity: 1, unit_price: 0, requires_shipping: true },
          ]),
    ],
    [
      "it would not be worth the same",
      /order_\w+ would be worth 2,290 RUB, and that one was worth 2,200 RUB/,
      (order_id) =>
        store.container
          .resolve(Modules.ORDER)
          .createOrderCreditLines([
            { order_id, amount: 90, reference: "gift card", reference_id: "card_1" },
          ]),
    ],
  ])("is refused with the reason when %s (promise 8)", async (_, reason, change) => {
    const { problem } = await paidTooLate(store, shopper, admin, {
      place: async (id) => void (await change(id)),
    })
    const carts = await cartCount(store)
    const refused = await act(admin, problem, "place-order")
    expect(refused.status).toBe(400)
    expect(refused.data.message).toMatch(reason)
    expect(await cartCount(store)).toBe(carts)
  })
}

/** An order that was placed, canceled by an admin, and paid after that. */
async function paidTooLate(
  store: TestStore,
  shopper: Shopper,
  admin: Admin,
  {
    prepare,
    place,
  }: {
    prepare?: (cartId: string) => Promise<void>
    place?: (orderId: string, payment: OpenPayment) => Promise<void>
  }
): Promise<{ orderId: string; problem: ProblemRow }> {
  const { id: cartId } = await shopper.newCart({})
  await prepare?.(cartId)
  const payment = await shopper.open(cartId, "sbp")
  const orderId = await shopper.place(payment)
  await place?.(orderId, payment)
  expect((await admin.post(`/admin/orders/${orderId}/cancel`)).status).toBe(200)
  await store.simulator.pay(payment.data.transaction_id)
  const problem = await problemOfPayment(store, payment.data.transaction_id)
  expect(problem).toMatchObject({ kind: "paid_after_change", order_id: orderId })
  return { orderId, problem }
}

async function orderCount({ container }: TestStore): Promise<number> {
  const [, count] = await container.resolve(Modules.ORDER).listAndCountOrders({}, { take: 1 })
  return count
}

async function problemOfPayment({ module }: TestStore, id: string): Promise<ProblemRow> {
  return await eventually("a person is asked", async () => {
    return (await module.listProblems({ transaction_id: id, closed_at: null }))[0]
  })
}

/** Numbers, or objects that turn into one. */
type Amount = number | { valueOf(): unknown }

/** An order's total and its items. */
async function worth(store: TestStore, orderId: string) {
  const totals = ["total", "tax_total", "discount_total", "shipping_total"] as const
  const { data } = await store.container.resolve(ContainerRegistrationKeys.QUERY).graph({
    entity: "order",
    fields: [...totals, "items.title", "items.unit_price", "items.detail.quantity"],
    filters: { id: orderId },
  })
  const order = data[0] as unknown as Record<(typeof totals)[number], Amount> & {
    items: { title: string; unit_price: Amount; detail: { quantity: Amount } }[]
  }
  const worths = totals.map((total) => [total, Number(order[total])] as const)
  return {
    ...(Object.fromEntries(worths) as Record<(typeof totals)[number], number>),
    items: order.items
      .map(({ title, unit_price, detail }) => ({
        title,
        unit_price: Number(unit_price),
        quantity: Number(detail.quantity),
      }))
      .sort((left, right) => left.title.localeCompare(right.title)),
  }
}

async function cartCount(store: TestStore): Promise<number> {
  const [, count] = await store.container.resolve(Modules.CART).listAndCountCarts({})
  return count
}

async function taxed(store: TestStore): Promise<void> {
  const taxes = store.container.resolve(Modules.TAX)
  const [region] = await taxes.listTaxRegions({})
  await taxes.createTaxRates([
    { tax_region_id: region?.id ?? "", name: "НДС", code: "vat", rate: 20, is_default: true },
  ])
}

/** Ten per cent off, for one order in all. */
async function promoted(store: TestStore): Promise<void> {
  await store.container.resolve(Modules.PROMOTION).createPromotions([
    {
      code: "ONCE",
      type: "standard",
      status: "active",
      limit: 1,
      application_method: {
        type: "percentage",
        target_type: "items",
        allocation: "across",
        value: 10,
        currency_code: "rub",
      },
    },
  ])
}

async function shippingCosts(store: TestStore, amount: number): Promise<void> {
  const options = await store.container.resolve(Modules.FULFILLMENT).listShippingOptions({})
  await updateShippingOptionsWorkflow(store.container).run({
    input: options.map(({ id }) => ({ id, prices: [{ currency_code: "rub", amount }] })),
  })
}
