import {
  comparePayment,
  type HeldPayment,
  type PaidTransaction,
} from "../../../src/settlement/compare-payment"

const AT = new Date("2026-03-01T00:20:00.000Z")
const HELD: HeldPayment = { amount: "1199.988", currency: "rub", captured: 1199.988, others: 0 }
const ROW: PaidTransaction = {
  state: "paid",
  exception: null,
  amount: "1199.99",
  accepted: null,
  currency: "RUB",
  settled_at: AT,
  handled_at: null,
  handled: null,
  exception_at: null,
}

describe("a payment that Medusa captured compared with our row", () => {
  it.each<[string, Partial<HeldPayment>, Partial<PaidTransaction> | null, string | null]>([
    ["the same to the kopeck", {}, {}, null],
    ["of no row", {}, null, "no_row"],
    ["of a row that is not paid", {}, { state: "expired" }, "not_paid"],
    ["whose capture nobody wrote down", {}, { settled_at: null }, "not_settled"],
    ["that a person looks at", {}, { settled_at: null, exception: "reversed" }, null],
    ["that a person took care of", {}, { state: "canceled", handled_at: AT }, null],
    ["of another sum", { amount: "1199.98", captured: "1199.98" }, {}, "amount"],
    ["of another currency", { currency: "usd" }, {}, "amount"],
    [
      "of the sum that was accepted",
      {},
      { amount: "1500.00", accepted: { amount: "1199.99", cart_total: null } },
      null,
    ],
    [
      "of what was asked and not accepted",
      {},
      { accepted: { amount: "1000.00", cart_total: null } },
      "amount",
    ],
    ["captured by two payments", { others: 1 }, {}, "captured_twice"],
    ["captured two times", { captured: "2399.976" }, {}, "captured_twice"],
    ["captured in part", { captured: "10" }, {}, null],
  ])("%s", (_, held, row, difference) => {
    expect(comparePayment({ ...HELD, ...held }, row && { ...ROW, ...row })).toBe(difference)
  })
})
