import { amountOf } from "../../../src/payments/search"

describe("a searched amount (promise 19)", () => {
  it.each([
    ["2290", "2290.00"],
    ["2 290,5", "2290.50"],
    ["2\u00a0290 ₽", "2290.00"],
    ["2,290", "2290.00"],
    ["1,234,567.89", "1234567.89"],
    ["2,29", "2.29"],
    ["2290.50", "2290.50"],
  ])("%s is %s", (text, amount) => {
    expect(amountOf(text)).toBe(amount)
  })

  it.each(["", "#1027", "1,23,456", "1.234", "12a", "1,2345", "-5"])("%s is none", (text) => {
    expect(amountOf(text)).toBeNull()
  })
})
