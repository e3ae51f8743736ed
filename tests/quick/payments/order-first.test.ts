import type { Action, MedusaState } from "../../../src/payments/rules/decide"
import {
  anOrder,
  aPayment,
  aSession,
  atCheckout,
  EXPIRES_AT,
  judge,
  judgeInWords,
} from "./situations"

const NOTHING: Action = { do: "nothing" }

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
      action: NOTHING,
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
      action: NOTHING,
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
