import { payoutRefusal } from "../../../../src/settlement/payouts/refusals"

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
    const { text, ...rest } = payoutRefusal(code, true)
    expect(rest).toEqual({ code })
    expect(text.en).toMatch(/repetition was not made.*first request may have gone through.*mark it/)
    expect(text.ru).toMatch(/Повторный запрос не отправлен.*первый мог пройти.*отметьте/)
    for (const words of [text.en, text.ru]) {
      expect(words).not.toMatch(
        /Make a new one|Nothing was sent|send it again|Ничего не отправлено/
      )
    }
    expect(payoutRefusal(code).text).not.toEqual(text)
  })

  it("has the same words for both where they are true of both", () => {
    expect(payoutRefusal("other_card_number", true)).toEqual(payoutRefusal("other_card_number"))
    const limit = { code: "above_per_day", left: 5 } as const
    expect(payoutRefusal(limit, true)).toEqual(payoutRefusal(limit))
  })
})
