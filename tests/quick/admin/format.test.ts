import { formatForTitle, withOwnMoments } from "../../../admin/lib/format"
import { money, time } from "../../../src/texts"

const LOCALES = { en: "“", ru: "«" }
let language: keyof typeof LOCALES = "en"
// Of the texts, sums and times need only the quotation marks and the word between two sums.
jest.mock("react-i18next", () => ({
  getI18n: () => ({
    language,
    getFixedT:
      () =>
      (key: string, { text = "", paid = "", asked = "" }: Record<string, string>) =>
        key === "paidOf" ? `${paid} of ${asked}` : LOCALES[language] + text,
  }),
}))

/** The text of a page with plain spaces. */
const written = (to: keyof typeof LOCALES, write: "money" | "usdt", ...of: [string, string?]) => {
  language = to
  const [amount, currency = "RUB"] = of
  const format = formatForTitle()
  const text = write === "money" ? format.money(amount, currency) : format.usdt(amount)
  return text.replace(/\s/g, " ")
}

describe("a sum on a page (promise 21)", () => {
  it.each([
    ["2290", "RUB", "RUB 2,290.00", "2 290,00 ₽"],
    ["100.5", "RUB", "RUB 100.50", "100,50 ₽"],
    ["0.004", "RUB", "RUB 0.004", "0,004 ₽"],
    ["0.00000012", "USD", "$0.00000012", "0,00000012 $"],
    ["12.345600", "USD", "$12.3456", "12,3456 $"],
    ["1234.5", "USDT", "1,234.50 USDT", "1 234,50 USDT"],
  ])("of %s %s has all its digits", (amount, currency, en, ru) => {
    // Some versions of ICU have the sign of the ruble in English, too.
    expect(written("en", "money", amount, currency).replace("₽", "RUB ")).toBe(en)
    expect(written("ru", "money", amount, currency)).toBe(ru)
  })

  it.each([
    ["1001", "RUB"],
    ["490.5", "RUB"],
    ["1234567.89", "RUB"],
    ["-1199.988", "RUB"],
    ["0.645405", "USDT"],
    ["1", "EUR"],
    ["1", "usd"],
  ])("of %s %s is written as in a sentence of the store's", (amount, currency) => {
    for (const to of ["en", "ru"] as const) {
      language = to
      expect(money({ amount, currency })[to]).toBe(formatForTitle().money(amount, currency))
    }
  })

  it("has all its digits in a sentence, however long it is", () => {
    expect(money({ amount: "12345678901234567.25", currency: "USDT" })).toEqual({
      en: "12,345,678,901,234,567.25 USDT",
      ru: "12\u00a0345\u00a0678\u00a0901\u00a0234\u00a0567,25 USDT",
    })
  })
})

describe("the sum of a payment", () => {
  const asked = { amount: "1990.00", currency: "RUB", paid_amount: null, read_currency: null }

  it("is the one that was paid, beside another one that was asked for", () => {
    language = "ru"
    const write = (payment: typeof asked | Record<keyof typeof asked, string>) =>
      formatForTitle().sumOf(payment).replace(/\s/g, " ")
    expect(write(asked)).toBe("1 990,00 ₽")
    const paid = { ...asked, paid_amount: "1990", read_currency: "RUB" }
    expect(write(paid)).toBe("1 990,00 ₽")
    expect(write({ ...paid, paid_amount: "100" })).toBe("100,00 ₽ of 1 990,00 ₽")
    expect(write({ ...paid, read_currency: "USD" })).toBe("1 990,00 $ of 1 990,00 ₽")
  })
})

describe("a time of the service's list", () => {
  it("is written as other times are, and quoted where it has another form", () => {
    language = "ru"
    const { wallClock } = formatForTitle()
    expect(wallClock("2026-03-14 09:05:00").replace(/\s/g, " ")).toBe("14 мар. 2026 г., 09:05:00")
    expect(wallClock("14 марта, утром")).toBe("«14 марта, утром")
    expect(wallClock(null)).toBe("–")
  })
})

const MONTHS = Array.from({ length: 12 }, (_, month) => new Date(Date.UTC(2026, month, 5, 3, 36)))
const asked = (iso: string) => `<${iso}>`

describe.each(["en", "ru"] as const)("moments in a sentence in %s (promise 21)", (language) => {
  it.each(MONTHS.map((moment) => moment.toISOString()))("%s is written again", (iso) => {
    const sentence = `Settled since ${time(iso)[language]}, and due ${time(iso)[language]}.`
    expect(withOwnMoments(sentence, asked)).toBe(`Settled since <${iso}>, and due <${iso}>.`)
  })
})

it("leaves other texts as they are", () => {
  const text = "Order #12 of 05.11.2026, 03:36, or 5 Nov 2026, is worth ₽1,990.50 in UTC"
  expect(withOwnMoments(text, asked)).toBe(text)
})
