import { describePayment } from "../../../src/payments/open-transaction"

type Origin = Parameters<typeof describePayment>[1]

function anOrigin(patch: Partial<Origin> = {}): Origin {
  return {
    storeName: "Tea House",
    items: [
      { title: "Teapot", quantity: 1 },
      { title: "Cup", quantity: 6 },
    ],
    sum: "1990.50 RUB",
    ...patch,
  }
}

const anItem = (title: string, quantity: number) => ({ items: [{ title, quantity }] })

const DEFAULT = "{store}: {items}"

/** Promise 22: a payer reads the shop's own words at the service, and no cart's id. */
it.each<[string, string, Partial<Origin>, string]>([
  ["the default", DEFAULT, {}, "Tea House: Teapot, Cup × 6"],
  ["a cart's id, of which nothing is left", "{cart_id}: {store} ({cart_id})", {}, "Tea House"],
  ["a cart's id between words", "Order {cart_id} of {store}", {}, "Order of Tea House"],
  ["nothing but a cart's id", "{cart_id}", {}, "1990.50 RUB"],
  ["a placeholder that is none", "{store} {email}", {}, "Tea House {email}"],
  ["names that objects have by nature", "{constructor}", {}, "{constructor}"],
  ["neither name nor items", DEFAULT, { storeName: "", items: [] }, "1990.50 RUB"],
  ["a name like a placeholder", DEFAULT, { storeName: "{items}" }, "{items}: Teapot, Cup × 6"],
  ["an item like a placeholder", "{items}", anItem("{cart_id} $& $1", 1), "{cart_id} $& $1"],
  ["a fraction of an item", "{items}", anItem("Cloth", 2.5), "Cloth × 2.5"],
])("%s", (_, template, patch, text) => {
  expect(describePayment(template, anOrigin(patch))).toBe(text)
})

describe("long texts", () => {
  const titled = (title: string) => anOrigin(anItem(title, 1))

  it("of 200 characters stay, of 201 are cut to 200", () => {
    expect(describePayment("{items}", titled("a".repeat(200)))).toBe("a".repeat(200))
    expect(describePayment("{items}", titled("a".repeat(201)))).toBe(`${"a".repeat(199)}…`)
  })

  it("are never cut inside a character", () => {
    for (const before of [0, 1]) {
      const text = describePayment("{items}", titled("a".repeat(before) + "😀".repeat(200)))
      expect(text).toBe(`${"a".repeat(before)}${"😀".repeat(99)}…`)
    }
  })
})
