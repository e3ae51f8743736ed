import { formatForTitle } from "../../../admin/lib/format"

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

describe("a sum on a page", () => {
  it.each([
    ["2290", "RUB", "RUB 2,290.00", "2 290,00 ₽"],
    ["2290.00", "RUB", "RUB 2,290.00", "2 290,00 ₽"],
    ["100.5", "RUB", "RUB 100.50", "100,50 ₽"],
    ["-12.50", "RUB", "-RUB 12.50", "-12,50 ₽"],
    ["0.004", "RUB", "RUB 0.004", "0,004 ₽"],
    ["0.00000012", "USD", "$0.00000012", "0,00000012 $"],
    ["12.345600", "USD", "$12.3456", "12,3456 $"],
    ["1234.5", "USDT", "1,234.50 USDT", "1 234,50 USDT"],
    ["0.000001", "USDT", "0.000001 USDT", "0,000001 USDT"],
    ["0", "USDT", "0.00 USDT", "0,00 USDT"],
  ])("of %s %s has all its digits", (amount, currency, en, ru) => {
    // Some versions of ICU have the sign of the ruble in English, too.
    expect(written("en", "money", amount, currency).replace("₽", "RUB ")).toBe(en)
    expect(written("ru", "money", amount, currency)).toBe(ru)
  })

  it("in USDT has all its digits", () => {
    expect(written("en", "usdt", "28.625")).toBe("28.625 USDT")
    expect(written("ru", "usdt", "0.00000001")).toBe("0,00000001 USDT")
    expect(written("en", "usdt", "1000.10")).toBe("1,000.10 USDT")
  })
})

describe("the sum of a payout", () => {
  it("is written as every other sum", () => {
    language = "ru"
    expect(formatForTitle().rubles(1500).replace(/\s/g, " ")).toBe("1 500,00 ₽")
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

  it("has the month as a word in English, as Medusa's dates", () => {
    language = "en"
    const { wallClock } = formatForTitle()
    expect(wallClock("2026-03-14 09:05:00").replace(/\s/g, " ")).toBe("Mar 14, 2026, 9:05:00 AM")
  })
})

describe("a moment", () => {
  const at = "2026-03-14T09:05:07Z"

  it.each([
    ["en", "Mar 14, 2026, 9:05 AM", "Mar 14, 2026"],
    ["ru", "14 мар. 2026 г., 09:05", "14 мар. 2026 г."],
  ] as const)("has one form in %s, with and without its time", (code, moment, day) => {
    language = code
    const format = formatForTitle()
    const inUtc = (text: string) => text.replace(/\s/g, " ")
    expect(inUtc(format.day(at, "UTC"))).toBe(day)
    const offset = new Date(at).getTimezoneOffset()
    const here = new Date(Date.parse(at) + offset * 60_000).toISOString()
    expect(inUtc(format.moment(here, "short"))).toBe(moment)
  })
})
