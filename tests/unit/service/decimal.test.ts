import { decimalFromNumber, numberFromDecimal } from "../../../src/service/decimal"

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
