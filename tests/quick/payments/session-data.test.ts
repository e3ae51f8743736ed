import { BigNumber as MedusaBigNumber, MathBN } from "@medusajs/framework/utils"

import { amountOf } from "../../../src/providers/payment-service"

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
