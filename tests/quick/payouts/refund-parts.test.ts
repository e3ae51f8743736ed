import { refundParts } from "../../../src/payouts/rules/payout"

describe("a refund as payouts (promise 18)", () => {
  it.each<[left: string, perPayout: number, parts: number[], rest: string]>([
    ["1199.99", 87_500, [1_199], "0.99"],
    // The payer paid 1200.00 of it.
    ["1199.996", 87_500, [1_200], "0"],
    ["1199.99499", 87_500, [1_199], "0.99499"],
    ["200000", 87_500, [87_500, 87_500, 25_000], "0"],
    ["87500", 87_500, [87_500], "0"],
    // The last one alone would be too small.
    ["87500.5", 87_500, [87_500], "0.5"],
    ["88000", 87_500, [87_000, 1_000], "0"],
    ["1500", 1_000, [1_000], "500"],
    ["2000", 1_500, [1_000, 1_000], "0"],
    ["999.99", 87_500, [], "999.99"],
    ["-5", 87_500, [], "0"],
  ])("%s with at most %i each", (left, perPayout, parts, rest) => {
    expect(refundParts(left, perPayout)).toEqual({ parts, rest })
  })
})
