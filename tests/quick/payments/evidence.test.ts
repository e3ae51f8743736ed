import { isProvenSince, recordedRead } from "../../../src/payments/rules/decide"
import { freshSince } from "../../../src/payments/rules/timing"
import {
  type Transaction,
  TRANSACTION_EXCEPTIONS,
  TRANSACTION_STATES,
  type TransactionException,
} from "../../../src/payments/rules/transaction"
import { aRow, MERCHANT, NOW } from "./situations"

describe("the last read, as its row keeps it (promise 1)", () => {
  const recorded = (patch: Partial<Transaction> = {}) =>
    recordedRead(aRow({ status: "Done", read_amount: "1199.98", read_currency: "USD", ...patch }))

  it("names what the service named", () => {
    expect(recorded()).toEqual({
      status: "Done",
      amount: "1199.98",
      currency: "USD",
      merchantId: MERCHANT,
      payload: "pstx_01",
    })
  })

  it("is of what was asked for where none was recorded, and of no status that means anything", () => {
    const none = { status: null, read_amount: null, read_currency: null }
    expect(recorded(none)).toMatchObject({ status: "", amount: "1199.99", currency: "RUB" })
  })

  it.each(TRANSACTION_EXCEPTIONS)("says whose money it is: %s", (exception) => {
    const { merchantId, payload } = recorded({ exception })
    expect(merchantId).toBe(exception === "merchant_differs" ? null : MERCHANT)
    expect(payload).toBe(exception === "reference_differs" ? null : "pstx_01")
  })
})

describe("a proof that is a moment old (promise 1)", () => {
  const readBefore = (ms: number) => new Date(NOW.getTime() - ms)
  const isFresh = (patch: Partial<Transaction>) =>
    isProvenSince(aRow({ state: "paid", read_at: readBefore(1_000), ...patch }), freshSince(NOW))

  it.each([
    [0, true],
    [15_000, true],
    [15_001, false],
    [3_600_000, false],
  ])("is good for a quarter of a minute: %d ms, %s", (ms, fresh) => {
    expect(isFresh({ read_at: readBefore(ms) })).toBe(fresh)
  })

  it("is none of what Medusa or a person has followed: the service may say otherwise since", () => {
    expect(isFresh({ settled_at: NOW })).toBe(false)
    expect(isFresh({ handled_at: NOW })).toBe(false)
  })

  it.each(TRANSACTION_STATES.filter((state) => state !== "paid"))("is none of %s", (state) => {
    expect(isFresh({ state })).toBe(false)
  })

  it.each<TransactionException>([
    "amount_less",
    "amount_more",
    "currency_differs",
    "merchant_differs",
    "reference_differs",
    "unknown_status",
    "reversed",
  ])("is none where the money itself is out of order: %s", (exception) => {
    expect(isFresh({ exception })).toBe(false)
  })

  it.each<TransactionException>(["completion_failed", "cart_changed", "paid_twice"])(
    "is one whatever Medusa made of it: %s",
    (exception) => {
      expect(isFresh({ exception })).toBe(true)
    }
  )
})
