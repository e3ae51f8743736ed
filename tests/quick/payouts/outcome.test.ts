import { PayoutRefused } from "../../../src/payouts/draft-payout"
import { lastFour } from "../../../src/payouts/rules/card-text"
import { outcomeOf, type PayoutAnswer } from "../../../src/payouts/rules/outcome"
import type { RefusalCode } from "../../../src/payouts/rules/payout"
import payouts from "../../../src/payouts/texts.en.json"

const ID = "0b9a6c1e-3c5d-4d0b-8c1a-5f3e2d1c0b9a"
const failed = (over: object = {}): PayoutAnswer => ({
  kind: "failed",
  error: { kind: "invalid", httpStatus: 400, mayHaveTakenEffect: false, ...over },
})
const answered = (over: object = {}): PayoutAnswer => ({
  kind: "answered",
  status: "CREATED",
  withdrawalRecordId: ID,
  amountUsdtDebited: "10.5",
  cardMasked: "************4242",
  ...over,
})

describe("an answer to a payout", () => {
  it.each([
    [{}, true, "rejected"],
    [{}, false, "unknown"],
    [{ mayHaveTakenEffect: true }, true, "unknown"],
    // Not a byte was sent, but that is no word of the service.
    [{ kind: "unavailable", httpStatus: undefined }, true, "unknown"],
  ])(
    "with the error %j, to the first request: %s, makes it %s (promise 15)",
    (over, isFirst, state) => {
      expect(outcomeOf(failed(over), isFirst)).toMatchObject({ state })
    }
  )

  it("that is a fault of ours leaves it unknown", () => {
    expect(outcomeOf({ kind: "failed", error: null }, true).state).toBe("unknown")
  })

  it("proves that it was created, whichever request it answers", () => {
    for (const isFirst of [true, false]) {
      expect(outcomeOf(answered(), isFirst)).toEqual({
        state: "created",
        reason_code: null,
        reason_facts: null,
        withdrawal_record_id: ID,
        amount_usdt: "10.5",
        card_last4: "4242",
      })
    }
  })

  it("with another status proves nothing, since no other is shown", () => {
    for (const status of ["PENDING", "DONE"]) {
      expect(outcomeOf(answered({ status }), true)).toMatchObject({
        state: "unknown",
        reason_code: "other_status",
        reason_facts: { status, withdrawal_record_id: ID },
        withdrawal_record_id: ID,
      })
    }
  })

  it.each([
    [{ httpStatus: 401 }, "secret_refused"],
    [{ httpStatus: 403, topic: "feature" }, "feature_off"],
    [{ topic: "balance" }, "balance_too_low"],
    [{ topic: "card" }, "card_refused"],
    [{}, "refused"],
  ])("of %j is told as %s", (over, reason_code) => {
    expect(outcomeOf(failed(over), true)).toMatchObject({ state: "rejected", reason_code })
  })
})

it.each([
  ["************4242", "4242"],
  ["MIR •• 4242 ", "4242"],
  ["4000001234567899", "7899"],
  [null, null],
])("the last four digits of %p are %p", (masked, last4) => {
  expect(lastFour(masked)).toBe(last4)
})

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
