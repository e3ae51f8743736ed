import type { IOrderModuleService } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { MedusaReader } from "../../../src/medusa/reader"
import {
  addCredit,
  cancelReturn,
  claim,
  draftOrder,
  exchange,
  markAsPaid,
  receiveReturn,
  requestReturn,
  sendFirstItem,
} from "../order-changes"
import { editOrder } from "../order-edits"
import { ordersAndMoney } from "../orders-and-money"
import { act } from "../problems-of"
import { reconcileNow } from "../reconcile-now"
import { findOrder, ordersOf } from "../shopper"
import { eventually, type TestStore } from "../store"

const PRICE = 2290
const ITEM = 1990
const OTHER_ITEM = 490.5
const BY_BANK = { note: "By bank" }

/** An order's worth, its debt and its payments are those that Medusa's dashboard shows, after any change of it. */
export function asMedusaShows(store: TestStore): void {
  const { admin, shopper, buy } = ordersAndMoney(store)

  const variant = (index: number) => store.shop.variantIds[index]
  const orders = () => store.container.resolve<IOrderModuleService>(Modules.ORDER)

  const paidOrder = async () => (await buy()).orderId

  /** In the way of core's own provider, which books a refund itself. */
  async function paidByHand(): Promise<string> {
    const providers = ["pp_system_default", "pp_sbp_main", "pp_crypto_main"]
    await admin.post(`/admin/regions/${store.shop.regionId}`, { payment_providers: providers })
    const { id } = await shopper.cart()
    const sessions = `/store/payment-collections/${await shopper.collection(id)}/payment-sessions`
    await shopper.raw("post", sessions, { provider_id: "pp_system_default" })
    await shopper.complete(id)
    const [orderId = ""] = await ordersOf(store, id)
    const [collection] = (await findOrder(store, orderId)).payment_collections
    await admin.post(`/admin/payments/${collection?.payments[0]?.id ?? ""}/capture`)
    return orderId
  }

  async function sentOrder(): Promise<string> {
    const orderId = await paidOrder()
    await sendFirstItem(admin, orderId)
    return orderId
  }

  async function shownByMedusa(orderId: string): Promise<number> {
    const { data } = await admin.get(`/admin/orders/${orderId}`)
    return (data.order as { summary: { pending_difference: number } }).summary.pending_difference
  }

  async function problemsOf(order_id: string) {
    await reconcileNow(store)
    return await store.module.listProblems({ order_id, closed_at: null })
  }

  async function book(orderId: string, amount: number): Promise<void> {
    await orders().addOrderTransactions({
      order_id: orderId,
      amount,
      currency_code: "rub",
      reference: "elsewhere",
      reference_id: `elsewhere_${amount}`,
    })
  }

  const of = (index: number, quantity: number) => ({ variant_id: variant(index), quantity })
  const draft = () => draftOrder(admin, store.shop, 2)
  const asked = (id: string) => requestReturn(admin, id)
  const swapped = (id: string, index: number, quantity: number) =>
    exchange(admin, id, of(index, quantity))
  const claimed = (id: string, wanted: Parameters<typeof claim>[2]) => claim(admin, id, wanted)
  const added = (id: string) => editOrder(store, admin, id, { add: 1 })
  const openEdit = async (id: string) => {
    await admin.post("/admin/order-edits", { order_id: id })
    const items = [of(1, 1)]
    expect((await admin.post(`/admin/order-edits/${id}/items`, { items })).status).toBe(200)
  }

  type Change = (orderId: string) => Promise<unknown>
  const CHANGES: [string, owed: number, Change, made?: () => Promise<string>][] = [
    ["an edit that lowers", -ITEM, (id) => editOrder(store, admin, id, "take away"), paidOrder],
    ["an edit that adds", OTHER_ITEM, added],
    ["a return that is requested", -ITEM, asked],
    ["a return that is canceled", 0, async (id) => cancelReturn(admin, await asked(id))],
    ["a dearer exchange", 6 * OTHER_ITEM - ITEM, (id) => swapped(id, 1, 6)],
    ["a cheaper exchange", OTHER_ITEM - ITEM, (id) => swapped(id, 1, 1)],
    ["a claim for a refund", -ITEM, (id) => claimed(id, null)],
    ["a claim that is replaced", 0, (id) => claimed(id, of(0, 1))],
    ["a credit", OTHER_ITEM - 400, (id) => added(id).then(() => addCredit(admin, id, 400))],
    ["a booking of another way to pay", -100, (id) => book(id, 100)],
    ["a rest marked as paid", 0, (id) => added(id).then(() => markAsPaid(admin, id, OTHER_ITEM))],
    ["an edit that nobody has confirmed", 0, openEdit],
  ]

  it.each(CHANGES)(
    "after %s, and its problem says the same",
    async (_, owed, change, made = sentOrder) => {
      const orderId = await made()
      await change(orderId)
      const [money] = await new MedusaReader(store.container).listOrderMoney([orderId])
      expect(Number(money?.outstanding)).toBe(owed)
      expect(await shownByMedusa(orderId)).toBe(owed)
      const kind = owed > 0 ? "order_underpaid" : "paid_twice"
      const told = owed === 0 ? [] : [{ kind, amount: String(Math.abs(owed)) }]
      expect(await problemsOf(orderId)).toMatchObject(told)
    }
  )

  it("after a cancellation, for a draft that became an order and none that was deleted", async () => {
    const canceled = await paidOrder()
    expect((await admin.post(`/admin/orders/${canceled}/cancel`)).status).toBe(200)
    await eventually("core's booking is taken back", async () => {
      const { transactions, summary } = await findOrder(store, canceled)
      return transactions.length === 1 && Number(summary.refunded_total) === 0
    })
    const [converted, deleted] = [await draft(), await draft()]
    await admin.post(`/admin/draft-orders/${converted}/convert-to-order`)
    expect((await admin.delete(`/admin/draft-orders/${deleted}`)).status).toBe(200)
    const found = await new MedusaReader(store.container).listOrderMoney([
      canceled,
      converted,
      deleted,
    ])
    expect(found.map(({ id }) => id).sort()).toEqual([canceled, converted].sort())
    for (const [id, owed] of [
      [canceled, 0],
      [converted, 2 * OTHER_ITEM],
    ] as const) {
      const outstanding = Number(found.find((one) => one.id === id)?.outstanding)
      expect([outstanding, await shownByMedusa(id)]).toEqual([owed, owed])
    }
    expect(found.find(({ id }) => id === canceled)).toMatchObject({
      paid: String(PRICE),
      worth: String(PRICE),
    })
    expect(found.find(({ id }) => id === converted)).toMatchObject({
      worth: String(2 * OTHER_ITEM),
      paid: "0",
      isUntouched: true,
    })
  })

  it("counts a capture that is not booked on the order yet once", async () => {
    const orderId = await paidOrder()
    const bookings = await orders().listOrderTransactions({ order_id: orderId })
    await orders().deleteOrderTransactions(bookings.map(({ id }) => id))
    expect(await shownByMedusa(orderId)).toBe(PRICE)
    const [money] = await new MedusaReader(store.container).listOrderMoney([orderId])
    expect(money).toMatchObject({ outstanding: "0", paid: String(PRICE), owed: "0" })
  })

  it.each([
    ["that a customer is given", null, 100],
    ["of more than an edit left over", "take away", ITEM + 100],
  ] as const)(
    "after a refund %s as after one that core books (promise 9)",
    async (_, edit, sum) => {
      const made = [await paidByHand(), await paidOrder()]
      const shown: object[] = []
      for (const orderId of made) {
        if (edit) await editOrder(store, admin, orderId, edit)
        const [collection] = (await findOrder(store, orderId)).payment_collections
        const refund = `/admin/payments/${collection?.payments[0]?.id ?? ""}/refund`
        const { status } = await admin.post(refund, { amount: sum })
        if (orderId === made[0]) {
          expect(status).toBe(200)
        } else {
          expect(status).toBe(400)
          const [problem] = await problemsOf(orderId)
          expect((await act(admin, problem!, "refunded-outside", BY_BANK)).status).toBe(200)
        }
        const fields = "fields=*summary,*credit_lines,*transactions,payment_status"
        const { data } = await admin.get(`/admin/orders/${orderId}?${fields}`)
        const { summary, credit_lines, transactions, payment_status } = data.order as {
          summary: object
          credit_lines: { amount: number; reference: string }[]
          transactions: { amount: number; reference: string }[]
          payment_status: string
        }
        const sums = (of: { amount: number }[]) => of.map(({ amount }) => amount).sort()
        const lines = [sums(credit_lines), sums(transactions)]
        shown.push({ summary: withoutRaw(summary), lines, payment_status })
      }
      expect(shown[1]).toEqual(shown[0])
    }
  )

  it("lowers its worth by no refund of an item on its way back (promise 9)", async () => {
    const orderId = await sentOrder()
    const id = await requestReturn(admin, orderId)
    const [problem] = await problemsOf(orderId)
    expect(problem).toMatchObject({ amount: String(ITEM) })
    const back = await act(admin, problem!, "refunded-outside", BY_BANK)
    expect(back.status).toBe(200)
    expect(await shownByMedusa(orderId)).toBe(0)
    await receiveReturn(admin, orderId, id)
    expect(await shownByMedusa(orderId)).toBe(0)
    expect(await problemsOf(orderId)).toEqual([])
  })
}

/** Without core's raw numbers, which say the same in another form. */
function withoutRaw(summary: object): object {
  return Object.fromEntries(Object.entries(summary).filter(([name]) => !name.startsWith("raw_")))
}
