import fc from "fast-check"
import { decimalFromNumber, numberFromDecimal } from "../../../src/service/schemas"

it.each([
  [1199.99, "1199.99"],
  [1200, "1200"],
  [0, "0"],
  [-12.5, "-12.5"],
  [1e-7, "0.0000001"],
  [1e21, "1000000000000000000000"],
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
  ...["", "0", "0.00", "-1", "+1", "1,5", "1.", ".5", "1e3", "0x1", " 1", "1\n", "NaN", "٣"],
  ...["90071992547409931234.01", "0.1234567890123456789"],
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

it("any number is written with the digits that JavaScript prints, however large or small (promise 1)", () => {
  const numbers = fc.double({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(fc.oneof(numbers, fc.constantFrom(5e-324, 1.7976931348623157e308)), (value) => {
      expect(decimalFromNumber(value)).toBe(byHand(value))
      expect(Number(decimalFromNumber(value))).toBe(value + 0)
    })
  )
})
