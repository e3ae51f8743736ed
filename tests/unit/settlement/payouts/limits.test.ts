import { brokenLimit, leftOf, localDay } from "../../../../src/settlement/payouts/limits"

const limits = { perPayout: 30_000, perDay: 50_000, perUserPerDay: 40_000 }

describe("limits", () => {
  it.each([
    [30_000, { byAll: 0, byUser: 0 }, null],
    [30_001, { byAll: 0, byUser: 0 }, { code: "above_per_payout", limit: 30_000 }],
    [10_000, { byAll: 40_000, byUser: 0 }, null],
    [10_001, { byAll: 40_000, byUser: 0 }, { code: "above_per_day", left: 10_000 }],
    [10_000, { byAll: 30_000, byUser: 30_000 }, null],
    [10_001, { byAll: 30_000, byUser: 30_000 }, { code: "above_per_user_per_day", left: 10_000 }],
    // The option was lowered since.
    [1_000, { byAll: 60_000, byUser: 0 }, { code: "above_per_day", left: 0 }],
  ])("%i beside %j: %j", (amount, held, broken) => {
    expect(brokenLimit(amount, held, limits)).toEqual(broken)
  })

  it("that are not given limit nothing", () => {
    const held = { byAll: 10_000_000, byUser: 10_000_000 }
    expect(brokenLimit(87_500, held, { perPayout: 87_500 })).toBeNull()
    expect(leftOf(held, {})).toEqual({ byAll: null, byUser: null })
  })
})

it.each([
  ["2026-11-22T20:59:59.999Z", "Europe/Moscow", "2026-11-22"],
  ["2026-11-22T21:00:00.000Z", "Europe/Moscow", "2026-11-23"],
  ["2026-11-22T21:00:00.000Z", "UTC", "2026-11-22"],
  // The clocks go back at 3 in the morning.
  ["2026-10-24T22:00:00.000Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T22:59:59.999Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T23:00:00.000Z", "Europe/Berlin", "2026-10-26"],
])("the day of %s in %s is %s", (moment, timeZone, day) => {
  expect(localDay(new Date(moment), timeZone)).toBe(day)
})
