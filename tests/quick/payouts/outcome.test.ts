import { PAYOUT_REFUSALS } from "../../../src/service/errors"
import {
  lastFour,
  outcomeOf,
  type PayoutAnswer,
  payoutReason,
} from "../../../src/payouts/rules/outcome"

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

describe("a refusal without words", () => {
  it.each([
    [400, true],
    [401, true],
    [403, true],
    [404, true],
    [422, true],
    [403, false],
    [404, false],
  ])("%i names the secret and the feature, first request: %s", (httpStatus, isFirst) => {
    const outcome = outcomeOf(failed({ httpStatus }), isFirst)
    if (outcome.state === "created") throw new Error("It is not created")
    const { en, ru } = payoutReason(outcome.reason, outcome.facts)
    expect(en).toMatch(/signing secret is (?:probably )?wrong or was reset/)
    expect(en).toMatch(/this server's clock is wrong/)
    expect(en).toMatch(/payouts are (?:probably )?not enabled for this merchant/)
    expect(ru).toMatch(/секрет подписи неверен или был сброшен/)
    expect(ru).toMatch(/неверно идут часы этого сервера/)
    expect(ru).toMatch(/выплаты для этого магазина не включены/)
  })
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
        reason: null,
        facts: null,
        amountUsdt: "10.5",
        last4: "4242",
      })
    }
  })

  it("with another status proves nothing, since no other is shown", () => {
    expect(outcomeOf(answered({ status: "PENDING" }), true)).toMatchObject({
      state: "unknown",
      reason: "other_status",
      facts: { status: "PENDING", withdrawal_record_id: ID },
    })
  })

  it("is never a rejection otherwise, whatever the status", () => {
    const refusals = [400, 401, 403, 404, 422]
    for (let httpStatus = 100; httpStatus < 600; httpStatus++) {
      if (refusals.includes(httpStatus)) continue
      for (const failure of ["timeout", "unavailable", "malformed", "refused", "other"]) {
        expect(outcomeOf(failed({ httpStatus, failure }), true).state).toBe("unknown")
      }
    }
    for (const isUnsent of [true, false]) {
      const answer = failed({ httpStatus: null, failure: "unavailable", isUnsent })
      expect(outcomeOf(answer, true).state).toBe("unknown")
    }
  })

  it.each([
    [{ httpStatus: 401 }, "secret_refused"],
    [{ httpStatus: 403 }, "secret_refused"],
    [{ httpStatus: 403, topic: "feature" }, "feature_off"],
    [{ topic: "balance" }, "balance_too_low"],
    [{ topic: "amount" }, "amount_refused"],
    [{ topic: "card" }, "card_refused"],
    [{}, "refused"],
  ])("of %j is told as %s", (over, reason) => {
    expect(outcomeOf(failed(over), true)).toMatchObject({ state: "rejected", reason })
  })
})

it.each([
  ["************4242", "4242"],
  ["4242", "4242"],
  ["MIR •• 4242 ", "4242"],
  ["4000001234567899", "7899"],
  ["****", null],
  [null, null],
])("the last four digits of %p are %p", (masked, last4) => {
  expect(lastFour(masked)).toBe(last4)
})
