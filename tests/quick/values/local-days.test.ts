import { daysOf, isTimeZone, lastLocalDays, periodBefore } from "../../../src/values/local-days"

const at = (iso: string) => new Date(iso)
const period = (from: string, to: string) => ({ from: at(from), to: at(to) })

describe("days of a time zone", () => {
  it.each([
    // 23 and 25 hours long; in Havana the clock is set forward at midnight, so the day begins at one.
    ["Europe/Berlin", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", "2026-03-29"],
    ["Europe/Berlin", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", "2026-10-25"],
    ["America/Havana", "2026-03-08T05:00:00Z", "2026-03-09T04:00:00Z", "2026-03-08"],
    ["Asia/Kathmandu", "2026-06-30T18:15:00Z", "2026-07-01T18:15:00Z", "2026-07-01"],
  ])("in %s may be longer or shorter than 24 hours", (zone, from, to, day) => {
    expect(daysOf(period(from, to), zone)).toEqual([{ day, ...period(from, to) }])
  })

  it("cover a year without a gap, in zones that change their clocks (promise 8)", () => {
    for (const zone of ["America/New_York", "Europe/London", "Australia/Lord_Howe", "UTC"]) {
      const year = lastLocalDays(366, at("2026-11-20T12:00:00Z"), zone)
      const days = daysOf(year, zone)
      expect(new Set(days.map(({ day }) => day)).size).toBe(366)
      expect(days).toHaveLength(366)
      days.forEach(({ to }, index) => {
        expect(to).toEqual(days[index + 1]?.from ?? year.to)
      })
    }
  })
})

describe("the period before", () => {
  it("is only as much of it as has passed of this one", () => {
    const week = period("2026-11-16T00:00:00Z", "2026-11-23T00:00:00Z")
    expect(periodBefore(week, at("2026-11-18T12:00:00Z"), "UTC")).toEqual(
      period("2026-11-09T00:00:00Z", "2026-11-11T12:00:00Z")
    )
  })
})

it("knows names of time zones, and takes no offsets", () => {
  expect(["UTC", "Europe/Moscow", "Moon/Base", "+03:00", ""].filter(isTimeZone)).toEqual([
    "UTC",
    "Europe/Moscow",
  ])
})
