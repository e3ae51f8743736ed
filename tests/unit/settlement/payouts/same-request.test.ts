import {
  cardDigits,
  maskedCard,
  withoutCardNumbers,
} from "../../../../src/settlement/payouts/card-text"
import { isSame, knowsNumber, marksOf } from "../../../../src/settlement/payouts/same-request"

const NUMBER = "4000001234567899"
const typed = (over: object = {}) => ({
  cardNumber: NUMBER,
  signingSecret: "a-signing-secret",
  payoutId: "pspo_1",
  ...over,
})
const body = (number: string) => Buffer.from(JSON.stringify({ cardNumber: number }))

describe("what is kept of a request", () => {
  it("is the digest of its bytes for a saved card", () => {
    // Made with `printf %s '{"a":1}' | openssl dgst -sha256`.
    expect(marksOf(Buffer.from('{"a":1}'), null)).toEqual({
      body_digest: "015abd7f5cc57a2dd94b7590f04ad8084273905ee33ec5cebeae62276a97f862",
      card_mac: null,
      key_check: null,
    })
  })

  it("of a typed number is the same only for the same number, payout and secret", () => {
    const marks = marksOf(body(NUMBER), typed())
    expect(marksOf(body(NUMBER), typed())).toEqual(marks)
    for (const over of [{ payoutId: "pspo_2" }, { signingSecret: "another" }]) {
      const others = marksOf(body(NUMBER), typed(over))
      for (const name of ["body_digest", "card_mac", "key_check"] as const) {
        expect(others[name]).not.toBe(marks[name])
      }
    }
    const other = marksOf(body("4000001234567881"), typed({ cardNumber: "4000001234567881" }))
    expect(other.card_mac).not.toBe(marks.card_mac)
    expect(other.key_check).toBe(marks.key_check)
    expect(new Set(Object.values(marks)).size).toBe(3)
  })

  it("can be compared as long as the signing secret is the same", () => {
    const { key_check } = marksOf(body(NUMBER), typed())
    const row = { id: "pspo_1", key_check }
    expect(knowsNumber(row, "a-signing-secret")).toBe(true)
    expect(knowsNumber(row, "another")).toBe(false)
    expect(knowsNumber(row, undefined)).toBe(false)
    expect(knowsNumber({ id: "pspo_1", key_check: null }, "a-signing-secret")).toBe(false)
    expect(isSame(null, key_check)).toBe(false)
  })
})

describe("a card number in a text", () => {
  it.each([
    ["to 4000001234567899 please", "to **** 7899 please"],
    ["4000 0012 3456 7899", "**** 7899"],
    ["4000-0012-3456-7899, twice", "**** 7899, twice"],
    ["1000 4000 0012 3456 7899", "**** 7899"],
    ["4000001234567899 4000001234567881", "**** 7881"],
    ["4000  0012  3456  7899", "**** 7899"],
    ["4000.0012.3456.7899", "**** 7899"],
    ["4000 \u2013 0012 \u2013 3456 \u2013 7899", "**** 7899"],
    ["12.11.2026, 14:30:05, 1500", "12.11.2026, 14:30:05, 1500"],
    ["in 2026, 1 200 of 87 500", "in 2026, 1 200 of 87 500"],
    ["0b9a6c1e-3c5d-4d0b-8c1a-123456789012", "0b9a6c1e-3c5d-4d0b-8c1a-123456789012"],
    ["pspo_01M82VBQCFWFW7SZKR555T7TYD", "pspo_01M82VBQCFWFW7SZKR555T7TYD"],
    ["+7 916 000-11-22", "+7 916 000-11-22"],
  ])("%s", (written, kept) => {
    expect(withoutCardNumbers(written)).toBe(kept)
  })

  it("has sixteen digits, however it is grouped", () => {
    expect(cardDigits("4000 0012-3456 7899")).toBe(NUMBER)
    for (const wrong of ["", "400000123456789", "40000012345678990", "4000O01234567899"]) {
      expect(cardDigits(wrong)).toBeNull()
    }
    expect(maskedCard("7899")).toBe("**** 7899")
  })
})
