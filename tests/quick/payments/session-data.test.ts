import { BigNumber as MedusaBigNumber, MathBN } from "@medusajs/framework/utils"

import {
  amountOf,
  toSessionData,
} from "../../../src/providers/payment-service/payment-method-provider"
import { textOf } from "../../../src/payments/read-transaction"
import { aTransactionRow } from "../a-row"

describe("session data", () => {
  it("says null for what the service did not say", () => {
    const row = aTransactionRow({
      transaction_id: null,
      redirect: null,
      expires_at: null,
      figures: null,
    })
    expect(toSessionData(row)).toMatchObject({
      transaction_id: "",
      redirect: "",
      expires_at: null,
      usdt_rate: null,
    })
  })
})

describe("a text of input data", () => {
  it.each<[Record<string, unknown> | undefined, string | null]>([
    [{ key: "value" }, "value"],
    [{ key: "" }, null],
    [{ key: null }, null],
    [{ key: 5 }, null],
    [{ key: ["value"] }, null],
    [{ key: { toString: () => "value" } }, null],
    [{ other: "value" }, null],
    [{}, null],
    [undefined, null],
  ])("%j: %p", (data, text) => {
    expect(textOf(data, "key")).toBe(text)
  })

  it("is not a function that every object has", () => {
    expect(textOf({}, "toString")).toBeNull()
    expect(textOf({}, "constructor")).toBeNull()
  })
})

describe("an amount as core gives it to a provider", () => {
  it.each<[string, unknown, string]>([
    ["a number", 1199.988, "1199.988"],
    ["text", "1199.988", "1199.988"],
    ["a raw value", { value: "1199.988000", precision: 20 }, "1199.988"],
    ["a raw value that is a number", { value: 1199.988 }, "1199.988"],
    ["Medusa's BigNumber", new MedusaBigNumber("1199.988"), "1199.988"],
    ["a raw value of a BigNumber", { value: new MedusaBigNumber("1199.988") }, "1199.988"],
    ["a result of MathBN", MathBN.add("0.1", "0.2"), "0.3"],
    ["a float sum, digits kept", 0.1 + 0.2, "0.30000000000000004"],
    ["a large one", "12345678901234567890.12", "12345678901234567890.12"],
    ["one with an exponent", 1e21, "1000000000000000000000"],
    ["nothing to pay", 0, "0"],
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
