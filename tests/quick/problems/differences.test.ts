import { reasonsForLog, reasonsText } from "../../../src/problems/rules/reasons"

describe("reasons", () => {
  const refused = { code: "out_of_stock", detail: "Not enough stock available" } as const
  const gone = { what: "session_gone" } as const

  it("are said one after the other, and in a log as Medusa said them", () => {
    const { en, ru } = reasonsText([gone, refused])
    expect(en).toBe("the payment was replaced or withdrawn; there is not enough stock")
    expect(ru).toBe("платёж заменили или отозвали; товара не хватает на складе")
    expect(reasonsForLog([gone, refused])).toBe(
      "the payment was replaced or withdrawn; Not enough stock available"
    )
    expect(reasonsForLog([{ code: "no_account", detail: "" }])).toBe(
      "no account leads to where it was opened"
    )
    expect(reasonsText([])).toEqual({ en: "", ru: "" })
  })
})
