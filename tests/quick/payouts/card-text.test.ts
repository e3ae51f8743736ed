import { withoutCardNumbers as cutInBrowser } from "../../../admin/lib/payouts/card-number"
import { maskedAddress } from "../../../src/api/mask-log"
import {
  cardDigits,
  maskedCard,
  withoutCardNumbers,
  withoutLongNumbers,
} from "../../../src/payouts/rules/card-text"

const GROUPS = ["4000", "0012", "3456", "7899"]
const PAYOUTS = "/admin/payment-service/payouts"

describe("a card number that is searched for (promise 22)", () => {
  const searches = [" ", "-", "\u00a0", "\u202f", ".", "  ", "\u2011", " - ", ""].map((between) =>
    GROUPS.join(between)
  )
  it.each(searches)("%j is cut to its last four digits", (search) => {
    for (const cut of [withoutLongNumbers, cutInBrowser]) {
      expect(cut(search)).toBe("**** 7899")
      expect(cut(`card ${search}, Ivan`)).toBe("card **** 7899, Ivan")
    }
  })

  it.each(["1234567890123", "3782-822463-10005", "6304 0000 0000 0000 000"])(
    "%s is cut, too: numbers have 13 to 19 digits",
    (search) => {
      const cut = `**** ${search.replace(/\D/g, "").slice(-4)}`
      expect(withoutLongNumbers(search)).toBe(cut)
      expect(cutInBrowser(search)).toBe(cut)
    }
  )

  it.each([
    "#1027",
    "5 000",
    "+7 900 123-45-67",
    "0b9a6c1e-3c5d-4d0b-8c1a-5f3e2d1c0b9a",
    "11111111-1111-1111-1111-111111111111",
    "pspo_01KAQ2F6Z8",
  ])("%s is left as it is", (search) => {
    expect(withoutLongNumbers(search)).toBe(search)
    expect(cutInBrowser(search)).toBe(search)
  })

  it("keeps its last digits in the browser while it is typed digit by digit", () => {
    let field = ""
    for (const key of "4000 0012 3456 7899") field = cutInBrowser(field + key)
    expect(field).toBe("**** 7899")
    expect(cutInBrowser("**** 7899 Ivan")).toBe("**** 7899 Ivan")
  })
})

describe("a card number in a text (promise 17)", () => {
  it.each([
    ["to 4000001234567899 please", "to **** 7899 please"],
    ["4000 0012 3456 7899", "**** 7899"],
    ["1000 4000 0012 3456 7899", "**** 7899"],
    ["4000001234567899 4000001234567881", "**** 7881"],
    ["4000.0012.3456.7899", "**** 7899"],
    ["4000 \u2013 0012 \u2013 3456 \u2013 7899", "**** 7899"],
    ["12.11.2026, 14:30:05, 1500", "12.11.2026, 14:30:05, 1500"],
    ["0b9a6c1e-3c5d-4d0b-8c1a-123456789012", "0b9a6c1e-3c5d-4d0b-8c1a-123456789012"],
    ["+7 916 000-11-22", "+7 916 000-11-22"],
  ])("%s", (written, kept) => {
    expect(withoutCardNumbers(written)).toBe(kept)
  })

  it("has sixteen digits, however it is grouped", () => {
    expect(cardDigits("4000 0012-3456 7899")).toBe("4000001234567899")
    for (const wrong of ["", "400000123456789", "40000012345678990", "4000O01234567899"]) {
      expect(cardDigits(wrong)).toBeNull()
    }
    expect(maskedCard("7899")).toBe("**** 7899")
  })
})

describe("an address of payouts in the log (promise 22)", () => {
  it.each([
    ...["", "%20", "+", "-", "%2D", ".", "%2E", "++", "%20%20", "%C2%A0", "%E2%80%AF", "%E2%80%91"],
    ...["%2520", "%25C2%25A0"],
  ])("has no card number with %j between its groups", (between) => {
    for (const address of [
      `${PAYOUTS}?order_id=${GROUPS.join(between)}&limit=20`,
      `${PAYOUTS}/${GROUPS.join(between)}/send`,
      `http://shop.test/app/payment-service/payouts?order_id=${GROUPS.join(between)}`,
    ]) {
      const masked = maskedAddress(address)
      expect(masked).toContain("****%207899")
      expect(decodeURIComponent(masked).replace(/\D/g, "")).not.toContain("40000012")
    }
  })

  it("has nothing of a search", () => {
    for (const searched of ["q=%D0%98%D0%B2%D0%B0%D0%BD", "q[]=Anna", "q%5B%5D=4000001234567899"]) {
      const masked = maskedAddress(`${PAYOUTS}?limit=20&${searched}&offset=0`)
      expect(masked).toMatch(/\?limit=20&q(?:=|\[|%5B)\*\*\*&offset=0$/)
    }
  })

  it.each([
    `${PAYOUTS}?note=%D0%98%D0%B2%D0%B0%D0%BD+5000&limit=20&offset=0&created_at[gte]=2026-11-22T21:00:00.000Z`,
    `${PAYOUTS}/pspo_01KAQ2F6Z8/send`,
    `${PAYOUTS}?id=0b9a6c1e-3c5d-4d0b-8c1a-5f3e2d1c0b9a`,
    `${PAYOUTS}?id=%`,
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36",
  ])("is else as it came: %s", (address) => {
    expect(maskedAddress(address)).toBe(address)
  })
})
