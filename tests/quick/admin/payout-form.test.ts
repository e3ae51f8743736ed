import { asTyped, payoutParts, sumIn, wholeRubles } from "../../../admin/lib/payouts/amounts"
import { LARGEST_PAYOUT, refundParts, SMALLEST_PAYOUT } from "../../../src/payouts/rules/payout"

describe("a sum that is to be paid out", () => {
  it.each(["", "-5", "4111 1111"])("is no payout when %j is no sum", (typed) => {
    expect(payoutParts(typed, SMALLEST_PAYOUT, LARGEST_PAYOUT)).toBeNull()
  })

  it("is split as the store splits what is to be paid back (promise 18)", () => {
    for (const most of [SMALLEST_PAYOUT, 1_500, 1_999, 2_000, 15_001, LARGEST_PAYOUT]) {
      for (let kopecks = 0; kopecks < 4 * most * 100; kopecks += most * 7 + 13) {
        const sum = (kopecks / 100).toFixed(2)
        // As people type it, with one digit or none after the comma, too.
        const typed = String(kopecks / 100).replace(".", ",")
        const { parts, rest } = payoutParts(typed, SMALLEST_PAYOUT, most) ?? {}
        const stores = refundParts(sum, most)
        expect({ sum, most, parts, rest: Number(rest ?? 0) }).toEqual({
          sum,
          most,
          parts: stores.parts,
          rest: Number(stores.rest),
        })
      }
    }
  })
})

describe("a sum that is typed", () => {
  it.each([
    ["1200", 1_200],
    [" 1 200 ", 1_200],
    ["87\u00a0500", 87_500],
    ["1200.00", 1_200],
  ])("%j is whole rubles", (typed, sum) => {
    expect(wholeRubles(typed)).toBe(sum)
  })

  it.each([
    ...["1199.9", "1199,99", "150.5", "1,200", "1.200", "1'200", "1200.", "1200.000"],
    ...["", " ", "-1200", "+1200", "1e5", "0x1200", "1200 ₽", "1200.00.00", "١٢٠٠"],
  ])("%j is none, and never a larger one", (typed) => {
    expect(wholeRubles(typed)).toBeNull()
  })
})

describe("a sum that is typed for a refund", () => {
  it.each([
    ["1990.50", "1990.50"],
    ["1 990,50", "1990.50"],
    ["1\u00a0990,5 ", "1990.5"],
    ["1990", "1990"],
  ])("%j is read in either language", (typed, sum) => {
    expect(sumIn(typed)).toBe(sum)
  })

  it.each(["1,990.50", "1.990,50", "1,990", "1.990", "1990,505", "-5", "1e3", "1990 ₽", ""])(
    "%j is none, and never another sum",
    (typed) => {
      expect(sumIn(typed)).toBeNull()
    }
  )

  it.each(["1471.5", "981", "0.01", "1234567.89"])("%s is shown as it is read again", (sum) => {
    expect(Number(sumIn(asTyped(sum, "ru")))).toBe(Number(sum))
    expect(Number(sumIn(asTyped(sum, "en")))).toBe(Number(sum))
  })
})
