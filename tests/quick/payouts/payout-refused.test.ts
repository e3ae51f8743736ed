import { PayoutRefused } from "../../../src/payouts/may-pay-out"

describe("a refusal to send a payout", () => {
  it.each([
    "payouts_off",
    "no_signing_secret",
    "account_gone",
    "taken_back",
    "not_confirmed",
    "payment_changed",
    "payment_account_gone",
    "too_slow",
  ] as const)("%s: of one that was sent before invites nobody to pay twice", (code) => {
    const refused = new PayoutRefused(code, true)
    const { messages: text } = refused
    expect(refused).toMatchObject({ code, facts: {} })
    expect(text.en).toMatch(/repetition was not made.*first request may have gone through.*mark it/)
    expect(text.ru).toMatch(/Повторный запрос не отправлен.*первый мог пройти.*отметьте/)
    for (const words of [text.en, text.ru]) {
      expect(words).not.toMatch(
        /Make a new one|Nothing was sent|send it again|Ничего не отправлено/
      )
    }
    expect(new PayoutRefused(code).messages).not.toEqual(text)
  })

  it("has the same words for both where they are true of both", () => {
    for (const refusal of ["other_card_number", { code: "above_per_day", left: 5 }] as const) {
      const [repeated, first] = [new PayoutRefused(refusal, true), new PayoutRefused(refusal)]
      expect(repeated.messages).toEqual(first.messages)
      expect(repeated.code).toBe(first.code)
    }
  })
})
