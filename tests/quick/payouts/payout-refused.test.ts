import { PayoutRefused } from "../../../src/payouts/may-pay-out"
import type { RefusalCode } from "../../../src/payouts/rules/payout"
import payouts from "../../../src/payouts/texts.en.json"

const CODES = Object.keys(payouts.payoutRefusals) as RefusalCode[]

describe("a refusal to send a payout (promise 15)", () => {
  it.each(CODES)("%s: of one that was sent before invites nobody to pay twice", (code) => {
    const { messages: text, code: said } = new PayoutRefused(code, true)
    expect(said).toBe(code)
    expect(text.en).toMatch(/repetition was not made.*first request may have gone through.*mark it/)
    expect(text.ru).toMatch(/Повторный запрос не отправлен.*первый мог пройти.*отметьте/)
    expect(new PayoutRefused(code).messages).not.toEqual(text)
  })
})
