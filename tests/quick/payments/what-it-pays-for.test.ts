import type { MedusaState } from "../../../src/payments/rules/decide"
import {
  anOrder,
  aPayment,
  aSession,
  atCheckout,
  EXPIRES_AT,
  judge,
  judgeInWords,
  withoutCart,
} from "./situations"

const forACart = { cart_id: "cart_01", state: "paid" } as const
const forAnOrder = { order_id: "order_01", state: "paid" } as const

describe("money for something that is not there any more (promise 4)", () => {
  it.each([
    ["a cart", forACart],
    ["an order", forAnOrder],
  ])("%s: is captured nowhere, and a person is asked", (_, row) => {
    expect(judge({ row, medusa: withoutCart() })).toMatchObject({
      exception: "session_gone",
      action: { do: "nothing" },
    })
    // Authorized by core, and then its order was taken away.
    expect(judge({ row, medusa: withoutCart({ payment: aPayment() }) })).toMatchObject({
      exception: "session_gone",
      action: { do: "nothing" },
    })
  })

  it("stays as it is once it has settled", () => {
    const row = { ...forAnOrder, settled_at: new Date(0) }
    const medusa = withoutCart({ payment: aPayment({ isCaptured: true }) })
    expect(judge({ row, medusa })).toMatchObject({ exception: null, action: { do: "nothing" } })
  })
})

describe("money for an order that owes less by now (promises 4 and 8)", () => {
  it.each([
    ["nothing", "0", "paid_twice", "was changed, and nothing is owed on it"],
    ["less than nothing", "-10", "paid_twice", "was changed, and nothing is owed on it"],
    ["a part, because it was edited", "500", "session_differs", "is owed ₽500.00 by now"],
  ])("%s: nothing is captured, and a person is asked", (_, owed, exception, what) => {
    const order = anOrder({ owed })
    expect(judgeInWords({ row: forAnOrder, medusa: withoutCart({ order }) })).toMatchObject({
      exception,
      differences: [`order order_01 ${what}`],
      action: { do: "nothing" },
    })
  })

  it("is captured when a person accepted the sum, and when the order owes more", () => {
    const accepted = { ...forAnOrder, accepted: { amount: "1199.99", cart_total: null } }
    const taken = [
      judge({ row: accepted, medusa: withoutCart({ order: anOrder({ owed: "500" }) }) }),
      judge({ row: forAnOrder, medusa: withoutCart({ order: anOrder({ owed: "5000" }) }) }),
    ]
    expect(taken.map(({ action }) => action.do)).toEqual(["authorize", "authorize"])
  })
})

/** An order that was placed on the promise of this payment. */
const promised = (patch: Partial<MedusaState> = {}) =>
  atCheckout({
    session: aSession({ status: "pending_authorization" }),
    order: anOrder({ unpaid: "cancel" }),
    ...patch,
  })

describe("paid after the order was placed (promise 4)", () => {
  it("has been paid twice when another payment was faster", () => {
    const medusa = promised({ otherPayment: { id: "pay_02", isCaptured: true }, order: anOrder() })
    expect(judgeInWords({ medusa })).toMatchObject({
      exception: "paid_twice",
      differences: ["order order_01 has another payment"],
      sessionStatus: "pending",
      action: { do: "nothing" },
    })
  })

  it.each([
    [
      { otherPayment: { id: "pay_02", isCaptured: false } },
      "order order_01 is to be paid in another way, for example on delivery",
    ],
    [
      { order: anOrder({ owed: "0", promised: "1199.988" }) },
      "order order_01 is to be paid in another way, for example on delivery",
    ],
    [{ order: anOrder({ owed: "0" }) }, "order order_01 was changed, and nothing is owed on it"],
    [
      { order: anOrder({ owed: "0", paidAt: new Date(0) }) },
      "order order_01 was changed, and nothing is owed on it",
    ],
    [
      { order: anOrder({ owed: "-1", paidAt: EXPIRES_AT }) },
      "order order_01 was paid in another way meanwhile",
    ],
  ])("says why nothing is owed any more: %j", (patch, difference) => {
    expect(judgeInWords({ medusa: promised(patch) })).toMatchObject({
      exception: "paid_twice",
      differences: [difference],
      action: { do: "nothing" },
    })
  })

  it("has not been paid twice when its own payment is the one that Medusa holds", () => {
    const medusa = promised({
      payment: aPayment(),
      otherPayment: { id: "pay_02", isCaptured: true },
    })
    expect(judge({ medusa }).action).toMatchObject({ do: "capture" })
  })
})
