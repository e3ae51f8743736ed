import type { Action, MedusaState } from "../../../src/payments/rules/decide"
import { EXPIRY_GRACE_MS } from "../../../src/payments/rules/transaction"
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
const CANCEL_SESSION: Action = { do: "cancel_session", sessionId: "payses_01" }
const CANCEL_ORDER: Action = { do: "cancel_order", orderId: "order_01" }
const AFTER_ALL = new Date(EXPIRES_AT.getTime() + EXPIRY_GRACE_MS)

/** An order that was placed on the promise of this payment. */
const promised = (patch: Partial<MedusaState> = {}) =>
  atCheckout({
    session: aSession({ status: "pending_authorization" }),
    order: anOrder({ unpaid: "cancel" }),
    ...patch,
  })

describe("paid after the order was placed", () => {
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

describe("not paid after the order was placed", () => {
  it.each(["Declined", "TooLate"])("%s: the session is closed, the order stays", (status) => {
    expect(judge({ read: { status }, medusa: promised() }).action).toEqual(CANCEL_SESSION)
    const closed = promised({ session: aSession({ status: "canceled" }) })
    expect(judge({ read: { status }, medusa: closed }).action).toEqual(NOTHING)
  })

  it("an order that nobody was told of is left to a person when the time is over", () => {
    const read = { status: "Declined" }
    const medusa = promised({
      session: aSession({ status: "canceled" }),
      order: anOrder({ unpaid: "tell" }),
    })
    expect(judge({ read, medusa }).action).toEqual(NOTHING)
    expect(judge({ read, medusa, now: AFTER_ALL }).action).toEqual({
      do: "report_order",
      orderId: "order_01",
      owed: "1199.988",
    })
    const canceled = promised({
      session: null,
      order: anOrder({ unpaid: "tell", isCanceled: true }),
    })
    expect(judge({ read, medusa: canceled, now: AFTER_ALL }).action).toEqual(NOTHING)
  })

  it.each<[string, Partial<MedusaState>]>([
    ["closed", { session: aSession({ status: "canceled" }) }],
    ["failed", { session: aSession({ status: "error" }) }],
    ["gone", { session: null }],
  ])("a session that is %s leaves only the order to cancel", (_, patch) => {
    const read = { status: "Declined" }
    const medusa = promised(patch)
    const before = new Date(AFTER_ALL.getTime() - 1)
    expect(judge({ read, medusa, now: before }).action).toEqual(NOTHING)
    expect(judge({ read, medusa, now: AFTER_ALL }).action).toEqual(CANCEL_ORDER)
  })
})
