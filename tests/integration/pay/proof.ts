import { randomUUID } from "node:crypto"

import {
  expectOrderOf,
  expectPaidOrder,
  ordersOf,
  paidUnheard,
  payUntilSettled,
  rowWhen,
  rowWithException,
  Shopper,
} from "../shopper"
import { eventually, settledRow, type TestStore } from "../store"

export function provingPayments(store: TestStore): void {
  const shopper = new Shopper(store)

  it.each([
    ["too little", "amount_less", /amount ₽2,289\.99, asked for ₽2,290\.00/, { amount: 2289.99 }],
    [
      "for another reference",
      "reference_differs",
      /it names another reference/,
      { payload: "pstx_of_somebody_else" },
    ],
    [
      "to another merchant",
      "merchant_differs",
      /it names another merchant/,
      { merchantId: randomUUID() },
    ],
  ])(
    "captures nothing that was paid %s, and says what differs (promise 1)",
    async (_, exception, text, differing) => {
      const payment = await shopper.checkout()
      store.simulator.edit(payment.data.transaction_id, differing)
      await store.simulator.pay(payment.data.transaction_id)
      const row = await rowWithException(store, payment)
      expect(row).toMatchObject({ exception, state: "paid", settled_at: null, order_id: null })
      const errors = await eventually("an error in the log", async () => {
        const lines = errorsOf(store)
        return lines.length ? lines : null
      })
      expect(errors).toHaveLength(1)
      expect(errors[0]).toContain(exception)
      expect(errors[0]).toMatch(text)

      const completed = await shopper.complete(payment.cartId)
      expect(completed.status).toBe(400)
      const back = await shopper.comeBack(payment.sessionId)
      expect(back.location).toContain("state=problem")
      expect(back.location).not.toContain("/done")
      expect((await shopper.poll(payment.sessionId)).data).toMatchObject({
        session: { state: "problem", order_id: null },
      })
      const again = await shopper.choose(payment.collectionId, "crypto")
      expect(again.status).toBeGreaterThanOrEqual(400)
      expect(await ordersOf(store, payment.cartId)).toEqual([])
      expect((await shopper.retrieve(payment.cartId)).completed_at).toBeNull()
      expect(capturedEvents(store)).toEqual([])
      // Said once, not at every look.
      expect(errorsOf(store).filter((line) => line.includes("needs a look"))).toHaveLength(1)
    }
  )

  it("waits at a status that it does not know, and takes the money when it comes", async () => {
    const { cartId, sessionId, data } = await shopper.checkout()
    await store.simulator.setStatus(data.transaction_id, "ON_HOLD")
    const row = await rowWithException(store, { sessionId })
    expect(row).toMatchObject({ exception: "unknown_status", state: "pending", status: "ON_HOLD" })
    await eventually("an error in the log", async () => errorsOf(store).length)
    expect(errorsOf(store)).toMatchObject([expect.stringContaining('"ON_HOLD"')])
    expect((await shopper.poll(sessionId)).data).toMatchObject({ session: { state: "pending" } })
    expect((await shopper.comeBack(sessionId)).location).toContain("/wait?")
    expect((await shopper.complete(cartId)).status).toBe(400)
    expect(await ordersOf(store, cartId)).toEqual([])

    await store.simulator.pay(data.transaction_id)
    expect(await settledRow(store, sessionId)).toMatchObject({ state: "paid", exception: null })
    await expectPaidOrder(store, cartId)
  })

  it("lets the shopper change an unpaid cart and pay what it costs then (promise 27)", async () => {
    const before = await shopper.checkout("sbp")
    expect((await shopper.addItem(before.cartId, 1)).status).toBe(200)
    const cart = await shopper.retrieve(before.cartId)
    expect(cart.payment_collection?.payment_sessions).toEqual([])
    // The page of the old payment says what is to be paid now.
    const shown = { state: "replaced", qr: null, payable_again: true, amount: "2780.50" }
    expect((await shopper.poll(before.sessionId)).data).toMatchObject({ session: shown })

    const after = await shopper.open(before.cartId, "sbp")
    expect(after.data.transaction_id).not.toBe(before.data.transaction_id)
    expect(after.data.amount).toBe("2780.50")
    await payUntilSettled(store, after)
    const order = await expectPaidOrder(store, before.cartId)
    expect(Number(order.total)).toBe(2780.5)

    // The old QR is payable all the same: that money is not lost from sight, nor booked on the order.
    await store.simulator.pay(before.data.transaction_id)
    const paidTwice = await rowWithException(store, before)
    expect(paidTwice).toMatchObject({ state: "paid", settled_at: null })
    expect((await shopper.poll(before.sessionId)).data).toMatchObject({
      session: { state: "problem" },
    })
    await eventually("an error in the log", async () => {
      return errorsOf(store).some((line) => line.includes(before.data.transaction_id))
    })
    await expectPaidOrder(store, before.cartId)
  })

  it("notices money for a cart that was changed before anything else was paid (promises 4 and 5)", async () => {
    const before = await shopper.checkout("sbp")
    await shopper.addItem(before.cartId)
    const after = await shopper.open(before.cartId, "sbp")
    await store.simulator.pay(before.data.transaction_id)
    await rowWhen(store, before, (row) => row.exception === "session_gone")
    expect((await shopper.comeBack(before.sessionId)).location).toContain("state=problem")
    // Nobody is asked for money again while a person looks at what came.
    expect((await shopper.poll(after.sessionId)).data).toMatchObject({
      session: { state: "problem", payable_again: false },
    })
    // The page names what came, and when, so that the payer can ask the shop about it.
    const { data } = await shopper.poll(before.sessionId)
    const { paid_at: paidAt } = (data as { session: { paid_at: string } }).session
    expect(Math.abs(Date.now() - Date.parse(paidAt))).toBeLessThan(10 * 60_000)
    expect(data).toMatchObject({ session: { reference: before.data.transaction_id.slice(0, 8) } })
    expect(await ordersOf(store, before.cartId)).toEqual([])
    const further = await shopper.choose(before.collectionId, "crypto")
    expect(further.status).toBe(400)
    expect(further.data).toMatchObject({ message: expect.stringContaining("do not pay again") })
  })

  it("vetoes a change of a cart that is paid though the callback was lost, and orders it as it was (promise 3)", async () => {
    const payment = await paidUnheard(store, shopper)
    const { data } = await shopper.raw("get", `/store/carts/${payment.cartId}`)
    const { items } = (data as { cart: { items: { id: string }[] } }).cart
    const line = `/store/carts/${payment.cartId}/line-items/${items[0]?.id ?? ""}`
    const answer = await shopper.raw("post", line, { quantity: 5 })
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.data).toMatchObject({ message: expect.stringContaining("payment session") })
    // The changes that core had begun do not make the order look underpaid.
    const order = await expectOrderOf(store, payment)
    expect(Number(order.total)).toBe(2290)
    expect(order.payment_collections).toMatchObject([{ amount: 2290 }])
  })
}

/** The plugin's own lines; Medusa may still say that the database was put back under a job. */
function errorsOf(store: TestStore): string[] {
  return store.log.filter((line) => line.startsWith("error: Payment Service:"))
}

function capturedEvents(store: TestStore) {
  return store.events.filter(({ name }) => name === "payment.captured")
}
