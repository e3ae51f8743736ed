import { NOT_FOUND, REFUSED_DEEDS } from "../../../src/settlement/problems/refused-deeds"
import type { Text } from "../../../src/texts"

const rubles = (amount: string) => ({ amount, currency: "RUB" })
const TEXTS = { ...REFUSED_DEEDS, ...NOT_FOUND }
const FACTS: Partial<Record<keyof typeof TEXTS, object>> = {
  other_actions: { actions: ["retry", "handle"] },
  not_acceptable: { status: "CLOSED", why: { en: "less was paid", ru: "оплачено меньше" } },
  other_currency: { cart: "EUR", paid: "RUB" },
  list_too_long: { most: 50_000 },
  other_sum_paid: { paid: rubles("12.50"), seen: "77" },
  other_cart_total: { total: rubles("120"), paid: rubles("100"), seen: "110" },
  order_has_foreign_items: { order: "order_1", names: '"Engraving"' },
  products_gone: { names: '"Cup"' },
  copy_worth_other: { order: "order_1", copied: rubles("1"), ordered: rubles("2") },
  not_all_paid_back: { left: rubles("0.99") },
  refund_begun: { refund: rubles("2000") },
  paid_out_not_recorded: { paidOut: rubles("1199") },
  payouts_under_way: { underWay: rubles("5000") },
  id_known: { id: "7d1b9f34" },
  id_of_other: { id: "7d1b9f34", reference: "pstx_1" },
  no_such_account: { account: "second" },
  no_such_code: { name: "Paid", option: "export.statusCodes" },
  no_transaction: { id: "7d1b9f34" },
  no_problem: { id: "psprob_1" },
  no_transaction_id: { id: "7d1b9f34" },
  unknown_transaction: { id: "7d1b9f34" },
  no_subscription_id: { id: "7d1b9f34" },
  unknown_subscription: { id: "7d1b9f34" },
  other_sum: { now: rubles("5"), said: "6" },
}

describe("refusals of what an admin asks for", () => {
  it.each(Object.entries(TEXTS))("%s is a sentence in both languages", (code, textOf) => {
    const facts = FACTS[code as keyof typeof FACTS]
    const { en, ru } = (textOf as (facts?: object) => Text)(facts)
    for (const text of [en, ru]) {
      expect(text).toMatch(/\.$/)
      expect(text).not.toContain("undefined")
    }
    expect(en).not.toMatch(/[а-яё]/i)
    expect(ru).toMatch(/[а-яё]/i)
    expect(textOf.length > 0).toBe(facts !== undefined)
  })
})
