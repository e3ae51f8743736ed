import { BigNumber as MedusaBigNumber, MathBN } from "@medusajs/framework/utils"
import fc from "fast-check"

import { amountOf } from "../../../src/providers/payment-service"
import {
  type AmountInput,
  addAmounts,
  compareAmounts,
  compareSums,
  inKopecks,
  toDecimalText,
  toWireAmount,
} from "../../../src/values/amount"

describe("the amount on the wire (promise 1)", () => {
  it.each<[AmountInput, string, string]>([
    ["1199.988", "1199.99", "999.99 plus 20 % tax"],
    [999.99 * 1.2, "1199.99", "the same, as a float product"],
    ["1199.995", "1200.00", "half goes up, across the ruble"],
    ["0.005", "0.01", "half of the smallest kopeck"],
    ["0.0049999999999999999999", "0.00", "less than half by less than a float can tell"],
    ["0.0050000000000000000001", "0.01", "more than half by less than a float can tell"],
    ["1.005", "1.01", "half up, where Math.round of the float says 1.00"],
    ["2.675", "2.68", "half up, where toFixed says 2.67"],
    ["1.025", "1.03", "half away from an even digit, so not banker's rounding"],
    [0.1 + 0.2, "0.30", "a float sum"],
    ["1199", "1199.00", "whole rubles"],
    ["0", "0.00", "nothing"],
    [-0, "0.00", "no signed nothing"],
    [1e21, "1000000000000000000000.00", "a number that JavaScript prints with an exponent"],
    [1e-7, "0.00", "a small number that JavaScript prints with an exponent"],
    ["5e-3", "0.01", "half, written with an exponent"],
    ["9007199254740993.005", "9007199254740993.01", "beyond what a float can hold"],
    ["12345678901234567890.125", "12345678901234567890.13", "far beyond"],
  ])("%p is %p: %s", (amount, wire) => {
    expect(toWireAmount(amount)).toBe(wire)
  })
})

describe("what is no amount", () => {
  const refused: [string, AmountInput][] = [
    ["NaN", NaN],
    ["Infinity", Infinity],
    ["nothing", ""],
    ["a decimal comma", "1199,99"],
    ["grouped digits", "1_199.99"],
    ["a currency", "1199.99 RUB"],
    ["an object without an amount's text", {}],
    ["a number with more zeros than memory has room for", "1e999999999"],
    ["a number as small", "-1e-999999999"],
    ["a text of a million digits", "9".repeat(1_000_000)],
  ]
  it.each(refused)("%s is refused, never rounded to something", (_, amount) => {
    expect(() => toWireAmount(amount)).toThrow(RangeError)
    expect(() => toDecimalText(amount)).toThrow(RangeError)
    expect(() => compareAmounts(amount, "1")).toThrow(RangeError)
    expect(() => compareAmounts("1", amount)).toThrow(RangeError)
  })
})

describe("any decimal text", () => {
  const digits = (minLength: number, maxLength: number) =>
    fc.string({ unit: fc.constantFrom(...Array.from("0123456789")), minLength, maxLength })
  const decimals = fc.record({
    sign: fc.constantFrom("", "-"),
    whole: digits(1, 60),
    fraction: digits(0, 60),
    exponent: fc.integer({ min: -80, max: 80 }),
  })
  interface Decimal {
    sign: string
    whole: string
    fraction: string
    exponent: number
  }

  /** The value as whole units of the 200th digit behind the point. */
  const units = ({ sign, whole, fraction, exponent }: Decimal) =>
    BigInt(`${sign}${whole}${fraction}${"0".repeat(200 - fraction.length + exponent)}`)
  const unitsOf = (text: string) => {
    const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(text) ?? []
    return units({ sign, whole, fraction, exponent: 0 })
  }
  const written = ({ sign, whole, fraction, exponent }: Decimal, e: string) =>
    `${sign}${whole}${fraction && `.${fraction}`}${exponent ? `${e}${exponent}` : ""}`

  it("keeps its value without exponent, needless zeros or a sign of nothing", () => {
    fc.assert(
      fc.property(decimals, fc.constantFrom("e", "E"), (decimal, e) => {
        const text = toDecimalText(written(decimal, e))
        expect(text).toMatch(/^(?:0|-?(?:[1-9]\d*|0(?=\.))(?:\.\d*[1-9])?)$/)
        expect(unitsOf(text)).toBe(units(decimal))
      })
    )
  })

  it("is compared, added and rounded exactly", () => {
    fc.assert(
      fc.property(decimals, decimals, (one, other) => {
        const [left, right] = [written(one, "e"), written(other, "e")]
        const difference = units(one) - units(other)
        expect(compareAmounts(left, right)).toBe(difference < 0n ? -1 : difference > 0n ? 1 : 0)
        expect(unitsOf(addAmounts(left, right))).toBe(units(one) + units(other))
        const kopeck = 10n ** 198n
        const [size, sign] = units(one) < 0n ? [-units(one), -1n] : [units(one), 1n]
        expect(unitsOf(toWireAmount(left))).toBe(((size + kopeck / 2n) / kopeck) * kopeck * sign)
      })
    )
  })
})

describe("sums that a payer pays", () => {
  it.each<[AmountInput, AmountInput, -1 | 0 | 1]>([
    ["599.80", 599.8000000000001, 0],
    ["599.80", "599.7999999999999", 0],
    ["599.80", "599.795", 0],
    ["599.80", "599.805", -1],
    ["599.80", "599.7949999", 1],
  ])("%p and %p are compared to the kopeck: %p", (one, other, order) => {
    expect(compareSums(one, other)).toBe(order)
    expect(compareSums(other, one)).toBe(order === 0 ? 0 : -order)
    const [left, right] = [one, other].map((sum) => inKopecks({ amount: String(sum) }).amount)
    expect(left === right).toBe(order === 0)
  })
})

describe("an amount as core gives it to a provider", () => {
  it.each<[string, unknown, string]>([
    ["a number", 1199.988, "1199.988"],
    ["text", "1199.988", "1199.988"],
    ["a raw value", { value: "1199.988000", precision: 20 }, "1199.988"],
    ["Medusa's BigNumber", new MedusaBigNumber("1199.988"), "1199.988"],
    ["a result of MathBN", MathBN.add("0.1", "0.2"), "0.3"],
    ["a large one", "12345678901234567890.12", "12345678901234567890.12"],
    ["one with an exponent", 1e21, "1000000000000000000000"],
  ])("%s", (_, amount, text) => {
    expect(amountOf(amount)).toBe(text)
  })

  it.each([[NaN], [Infinity], [""], ["a lot"], [{}], [{ value: "" }], [null], [undefined], [true]])(
    "%p is refused",
    (amount) => {
      expect(() => amountOf(amount)).toThrow(expect.objectContaining({ code: "no_amount" }))
    }
  )
})
