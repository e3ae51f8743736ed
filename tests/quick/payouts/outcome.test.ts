import { PAYOUT_REFUSALS } from "../../../src/service/errors"
import { lastFour } from "../../../src/payouts/rules/card-text"
import { outcomeOf, type PayoutAnswer } from "../../../src/payouts/rules/outcome"

const ID = "0b9a6c1e-3c5d-4d0b-8c1a-5f3e2d1c0b9a"
const failed = (over: object = {}): PayoutAnswer => ({
  kind: "failed",
  failure: "refused",
  httpStatus: 400,
  isUnsent: false,
  topic: null,
  detail: null,
  ...over,
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
  it("refuses it by the statuses that the client takes for a refusal, too", () => {
    const statuses = Array.from({ length: 500 }, (_, index) => 100 + index)
    const refusing = statuses.filter(
      (httpStatus) => outcomeOf(failed({ httpStatus }), true).state === "rejected"
    )
    expect(refusing).toEqual([...PAYOUT_REFUSALS])
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
