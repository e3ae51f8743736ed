import fc from "fast-check"
import { decimalFromNumber, numberFromDecimal } from "../../../src/service/schemas"

it.each([
  [1199.99, "1199.99"],
  [1200, "1200"],
  [0, "0"],
  [-0, "0"],
  [-12.5, "-12.5"],
  [1e-7, "0.0000001"],
  [-1.25e-9, "-0.00000000125"],
  [1e21, "1000000000000000000000"],
  [1.5e22, "15000000000000000000000"],
  [9007199254740991, "9007199254740991"],
])("%p is %p", (value, text) => {
  expect(decimalFromNumber(value)).toBe(text)
})

it.each([
  ["1199.99", 1199.99],
  ["1200.00", 1200],
  ["0100.50", 100.5],
  ["0.01", 0.01],
  ["999999999999.99", 999999999999.99],
])("%p is sent as %p", (text, value) => {
  expect(numberFromDecimal(text)).toBe(value)
})

it.each([
  "",
  "0",
  "0.00",
  "-1",
  "+1",
  "1,5",
  "1.",
  ".5",
  "1e3",
  " 1",
  "1\n",
  "NaN",
  "90071992547409931234.01",
  "0.1234567890123456789",
])("%p is refused", (text) => {
  expect(numberFromDecimal(text)).toBeNull()
})

/** Moves the point by hand, digit by digit: what the library has to agree with. */
function byHand(value: number): string {
  const [mantissa = "", exponent] = String(value).split("e")
  if (exponent === undefined) return mantissa
  const [, sign = "", whole = "", fraction = ""] = /^(-?)(\d+)\.?(\d*)$/.exec(mantissa) ?? []
  const point = whole.length + Number(exponent)
  const digits = whole + fraction
  return point <= 0 ? `${sign}0.${"0".repeat(-point)}${digits}` : sign + digits.padEnd(point, "0")
}

it("any number is written with the digits that JavaScript prints, however large or small", () => {
  const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(fc.oneof(numbers, fc.constantFrom(5e-324, 1.7976931348623157e308)), (value) => {
      expect(decimalFromNumber(value)).toBe(byHand(value))
      expect(Number(decimalFromNumber(value))).toBe(value + 0)
    })
  )
})

const digits = (maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...Array.from("0123456789")), minLength: 1, maxLength })

it("a plain decimal is sent only as the number that has exactly its digits", () => {
  fc.assert(
    fc.property(digits(25), fc.option(digits(25)), (whole, fraction) => {
      const text = fraction === null ? whole : `${whole}.${fraction}`
      const canonical = (fraction === null ? whole : text.replace(/\.?0+$/, "")).replace(
        /^0+(?=\d)/,
        ""
      )
      const value = Number(text)
      const isSent = value > 0 && byHand(value) === canonical
      expect(numberFromDecimal(text)).toBe(isSent ? value : null)
    }),
    { numRuns: 2_000 }
  )
})

it("whatever is no plain decimal is refused, and costs nothing", () => {
  const odd = fc.constantFrom(
    "-",
    "+",
    "e",
    "E",
    ".",
    " ",
    "0x",
    "_",
    ",",
    "n",
    "Infinity",
    "٣",
    "e999999999"
  )
  fc.assert(
    fc.property(digits(5), odd, fc.constantFrom("", "1"), (before, middle, after) => {
      const text = before + middle + after
      fc.pre(!/^\d+\.\d+$/.test(text))
      expect(numberFromDecimal(text)).toBeNull()
      expect(numberFromDecimal(middle + before)).toBeNull()
    })
  )
  const startedAt = performance.now()
  expect(numberFromDecimal("9".repeat(1_000_000))).toBeNull()
  expect(numberFromDecimal(`0.${"0".repeat(1_000_000)}1`)).toBeNull()
  expect(performance.now() - startedAt).toBeLessThan(10_000)
})
