import { type Difference, differenceText } from "../../../src/problems/rules/reasons"
import { money, type Sum } from "../../../src/texts"
import { reasonsForLog, reasonsText } from "../../../src/problems/rules/reasons"

const READ = { amount: "1000.50", currency: "RUB" }
const OTHER = { amount: "2290", currency: "RUB" }
const DOLLARS = { amount: "7", currency: "USD" }

/** Facts of each difference, of every form that its text knows, and all that a person must find in both texts. */
const SAMPLES: {
  [What in Difference["what"]]: [Extract<Difference, { what: What }>, ...string[]][]
} = {
  merchant: [
    [{ what: "merchant", read: "merchant_02", ours: "merchant_01" }],
    [{ what: "merchant", read: null, ours: "merchant_01" }],
    [{ what: "merchant", read: "", ours: "merchant_01" }],
  ],
  reference: [
    [{ what: "reference", isNamed: true, ours: "pstx_01" }],
    [{ what: "reference", isNamed: false, ours: "pstx_01" }],
  ],
  currency: [
    [{ what: "currency", read: "USD", asked: "RUB" }, "USD", "RUB"],
    [{ what: "currency", read: "", asked: "RUB" }, "RUB"],
  ],
  amount: [[{ what: "amount", read: READ, asked: OTHER }]],
  accepted_amount: [[{ what: "accepted_amount", read: READ, accepted: OTHER }]],
  unlisted_status: [[{ what: "unlisted_status", status: "ON_HOLD" }, "ON_HOLD"]],
  reversed: [[{ what: "reversed", status: "Declined" }, "Declined"]],
  paid_since_handled: [[{ what: "paid_since_handled" }]],
  amount_since_handled: [[{ what: "amount_since_handled", read: READ, handled: OTHER }]],
  currency_since_handled: [[{ what: "currency_since_handled", read: DOLLARS, handled: OTHER }]],
  session_sum: [[{ what: "session_sum", session: "payses_01", is: READ, transaction: OTHER }]],
  cart_total: [[{ what: "cart_total", cart: "cart_01", is: READ, session: OTHER }]],
  accepted_cart_total: [
    [{ what: "accepted_cart_total", cart: "cart_01", is: READ, accepted: OTHER }],
  ],
  session_gone: [[{ what: "session_gone" }]],
  target_gone: [[{ what: "target_gone" }]],
  order_gone: [[{ what: "order_gone", order: "order_01" }]],
  payment_canceled: [[{ what: "payment_canceled", payment: "pay_01" }]],
  order_canceled: [[{ what: "order_canceled", order: "order_01" }, "order_01"]],
  other_payment: [
    [{ what: "other_payment", payment: "pay_01", order: "order_01" }, "order_01"],
    [{ what: "other_payment", payment: "pay_01", order: null }],
  ],
  order_paid: [[{ what: "order_paid", order: "order_01" }, "order_01"]],
  promised_otherwise: [
    [{ what: "promised_otherwise", order: "order_01" }, "order_01"],
    [{ what: "promised_otherwise", order: null }],
  ],
  nothing_owed: [[{ what: "nothing_owed", order: "order_01" }, "order_01"]],
  order_copied: [[{ what: "order_copied", order: "order_01" }, "order_01"]],
  order_owed: [[{ what: "order_owed", order: "order_01", owed: READ }, "order_01"]],
}

const EVERY: [Difference, string[]][] = Object.values(SAMPLES)
  .flat()
  .map(([difference, ...names]) => [difference, names])

describe.each(EVERY)("%j", (difference, names) => {
  const { en, ru } = differenceText(difference)
  /** Without the names, which are the same in every language. */
  const without = (text: string) => names.reduce((left, name) => left.replaceAll(name, ""), text)

  it("is said in both languages with what a person knows of it, and without ids", () => {
    for (const text of [en, ru]) {
      expect(text).not.toMatch(/pstx_|payses_|cart_|pay_|merchant_|session|сесси|statuses/i)
      expect(text).not.toMatch(/undefined|null|NaN|\[object|\{\{| {2}|[ .]$/)
      for (const name of names) expect(text).toContain(name)
    }
    expect(without(en)).toMatch(/^[^а-яё]*[a-z]{3}[^а-яё]*$/i)
    expect(without(ru)).toMatch(/[а-яё]{4}/i)
    expect(without(ru).replace(/Medusa|USD|\d/g, "")).not.toMatch(/[a-z]/i)
  })

  it("names each of its sums, as the language writes them", () => {
    const sums = Object.values(difference).filter((value) => typeof value === "object" && value)
    for (const sum of sums) {
      const { en: inEnglish, ru: inRussian } = money(sum as Sum)
      expect([en, ru]).toEqual([
        expect.stringContaining(inEnglish),
        expect.stringContaining(inRussian),
      ])
    }
  })
})

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
