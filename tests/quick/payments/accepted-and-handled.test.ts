import type { Action, TransactionRead } from "../../../src/payments/rules/decide"
import type { Transaction, TransactionState } from "../../../src/payments/rules/transaction"
import {
  aCart,
  aSession,
  atCheckout,
  judge,
  judgeInWords,
  NOW,
  OTHER_MERCHANT,
  STATUSES,
} from "./situations"

const NOTHING: Action = { do: "nothing" }

describe("a payment of another amount that a person has accepted", () => {
  const row: Partial<Transaction> = {
    state: "paid",
    exception: "amount_less",
    accepted: { amount: "1000", cart_total: "1199.988" },
  }
  const read = { amount: "1000.00" }
  /** Adoption gives it a session of the amount that came. */
  const adopted = aSession({ id: "payses_02", amount: 1000 })

  it("places the order, for the cart that they saw", () => {
    const medusa = atCheckout({ session: adopted })
    expect(judge({ row, read, medusa })).toMatchObject({
      exception: null,
      action: { do: "place_order", cartId: "cart_01", sessionId: "payses_02" },
    })
  })

  it.each<[string, Partial<TransactionRead>, string]>([
    ["what was asked for first", { amount: "1199.99" }, "amount ₽1,199.99, accepted ₽1,000.00"],
    ["less than accepted", { amount: "999.99" }, "amount ₽999.99, accepted ₽1,000.00"],
    ["more than accepted", { amount: "1000.01" }, "amount ₽1,000.01, accepted ₽1,000.00"],
  ])("is out of order again when a read shows %s", (_, changed, difference) => {
    const decision = judgeInWords({ row, read: changed, medusa: atCheckout({ session: adopted }) })
    expect(decision.exception).toMatch(/^amount_/)
    expect(decision).toMatchObject({ differences: [difference], action: NOTHING })
  })

  it("is still refused for another merchant, reference or currency", () => {
    const medusa = atCheckout({ session: adopted })
    for (const changed of [{ merchantId: OTHER_MERCHANT }, { payload: "x" }, { currency: "USD" }]) {
      const decision = judge({ row, read: { ...read, ...changed }, medusa })
      expect(decision.exception).toMatch(/_differs$/)
      expect(decision.action).toEqual(NOTHING)
    }
  })

  it("is not taken for a session of the first amount", () => {
    expect(judge({ row, read, medusa: atCheckout() })).toMatchObject({
      exception: "session_differs",
      action: NOTHING,
    })
  })

  it("is not taken for a cart that changed after they had seen it", () => {
    for (const shown of ["1,200.00", "1,000.00", "1,199.98"]) {
      const cart = aCart({ total: shown.replace(",", "") })
      const medusa = atCheckout({ session: adopted, cart })
      expect(judgeInWords({ row, read, medusa })).toMatchObject({
        exception: "cart_changed",
        differences: [`the cart is now worth ₽${shown}, accepted as ₽1,199.988`],
        action: NOTHING,
      })
    }
  })
})

describe("a payment that a person has taken care of", () => {
  const row: Partial<Transaction> = { state: "paid", handled_at: NOW }

  describe("as a person saw it", () => {
    const handled: Partial<Transaction> = {
      ...row,
      exception: "amount_less",
      read_amount: "1000",
      handled: seen("paid", "1000"),
    }

    const then = "₽1,000.00 when a person handled it"
    const back = "paid by now, taken back when a person handled it"
    const reversed = { exception: "reversed", handled: seen("reversed", "1000") } as const
    it.each<[string, Partial<Transaction>, Partial<TransactionRead>, string]>([
      ["the sum that was asked for", {}, { amount: "1199.99" }, `amount ₽1,199.99, ${then}`],
      ["more", {}, { amount: "1500" }, `amount ₽1,500.00, ${then}`],
      ["another currency", {}, { amount: "1000", currency: "USD" }, `$1,000.00, ${then}`],
      ["money that had been taken back", reversed, { amount: "1000" }, back],
      ["money that had never come", { ...reversed, state: "canceled" }, { amount: "1000" }, back],
    ])("is asked about again when it is %s by now", (_, changes, read, difference) => {
      expect(judgeInWords({ row: { ...handled, ...changes }, read })).toMatchObject({
        state: "paid",
        exception: "changed_since_handled",
        differences: [difference],
        sessionStatus: "pending",
        action: NOTHING,
      })
    })

    it("is not asked about again while it is the same, however it is written", () => {
      expect(judge({ row: handled, read: { amount: "1000.00", currency: "rub" } })).toMatchObject({
        exception: "amount_less",
        differences: [],
      })
    })

    it.each(["reversed", "changed_since_handled"] as const)(
      "is in order again when %s was said in between",
      (exception) => {
        expect(judge({ row: { ...handled, exception }, read: { amount: "1000" } })).toMatchObject({
          exception: null,
          differences: [],
        })
      }
    )
  })

  it("is still said when the service takes it back (promise 9)", () => {
    for (const status of [...STATUSES.canceled, ...STATUSES.expired, ...STATUSES.reversed]) {
      expect(judge({ row, read: { status } })).toMatchObject({
        state: "paid",
        exception: "reversed",
        action: NOTHING,
      })
    }
  })

  it("is paid, should it have been taken care of before it was", () => {
    for (const state of ["pending", "canceled", "expired"] satisfies TransactionState[]) {
      expect(judge({ row: { ...row, state } })).toMatchObject({
        state: "paid",
        sessionStatus: "pending",
        action: NOTHING,
      })
    }
  })
})

function seen(as: "paid" | "reversed", amount: string) {
  return { at: NOW.toISOString(), as, amount, currency: "RUB" }
}
