import { brokenLimit, localDay } from "../../../src/payouts/rules/payout"

const limits = { perPayout: 30_000, perDay: 50_000 }

describe("limits", () => {
  it.each([
    [30_000, 0, null],
    [30_001, 0, { code: "above_per_payout", limit: 30_000 }],
    [10_000, 40_000, null],
    [10_001, 40_000, { code: "above_per_day", left: 10_000 }],
    // The option was lowered since.
    [1_000, 60_000, { code: "above_per_day", left: 0 }],
  ])("%i beside %i: %j", (amount, used, broken) => {
    expect(brokenLimit(amount, used, limits)).toEqual(broken)
  })
})

it.each([
  ["2026-11-22T21:00:00.000Z", "Europe/Moscow", "2026-11-23"],
  ["2026-11-22T21:00:00.000Z", "UTC", "2026-11-22"],
  // The clocks go back at 3 in the morning.
  ["2026-10-24T22:00:00.000Z", "Europe/Berlin", "2026-10-25"],
  ["2026-10-25T23:00:00.000Z", "Europe/Berlin", "2026-10-26"],
])("the day of %s in %s is %s", (moment, timeZone, day) => {
  expect(localDay(new Date(moment), timeZone)).toBe(day)
})
