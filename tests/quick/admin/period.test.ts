import { browsersZone, ownZone, spanIn, spanOf } from "../../../admin/lib/period"

/** Winter and summer, the days on which clocks change, and midnights that do not exist or come twice. */
const CASES: [zone: string, now: string, from: string, to: string][] = [
  ["UTC", "2026-11-25T02:00:00Z", "2026-11-25T00:00:00Z", "2026-11-26T00:00:00Z"],
  ["Europe/Moscow", "2026-11-24T22:00:00Z", "2026-11-24T21:00:00Z", "2026-11-25T21:00:00Z"],
  ["Asia/Kamchatka", "2026-11-24T11:59:59Z", "2026-11-23T12:00:00Z", "2026-11-24T12:00:00Z"],
  ["America/New_York", "2026-07-01T03:00:00Z", "2026-06-30T04:00:00Z", "2026-07-01T04:00:00Z"],
  // 23 and 25 hours long.
  ["Europe/Berlin", "2026-03-29T12:00:00Z", "2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"],
  ["Europe/Berlin", "2026-10-25T12:00:00Z", "2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z"],
  // Its clocks go forward by half an hour.
  ["Australia/Lord_Howe", "2026-10-04T05:00:00Z", "2026-10-03T13:30:00Z", "2026-10-04T13:00:00Z"],
  // This day begins at one o'clock.
  ["Africa/Cairo", "2026-04-24T12:00:00Z", "2026-04-23T22:00:00Z", "2026-04-24T21:00:00Z"],
]
const iso = (moment: string) => new Date(moment).toISOString()

describe("a period in days of a chosen time zone", () => {
  it.each(CASES)("is today in %s at %s", (zone, now, from, to) => {
    expect(spanOf("today", zone, new Date(now))).toEqual({
      from: iso(from),
      to: iso(to),
      time_zone: zone,
    })
  })
})

describe("a month of a chosen time zone", () => {
  it.each([
    // It is November there already.
    ["Asia/Kamchatka", "2026-10-31T12:00:00Z", "2026-09-30T12:00:00Z", "2026-10-31T12:00:00Z"],
    ["UTC", "2026-01-15T12:00:00Z", "2025-12-01T00:00:00Z", "2026-01-01T00:00:00Z"],
    // A month that has only its own time.
    ["Europe/Berlin", "2026-11-30T23:30:00Z", "2026-10-31T23:00:00Z", "2026-11-30T23:00:00Z"],
  ])("before this one in %s at %s", (zone, now, from, to) => {
    const last = spanOf("last_month", zone, new Date(now))
    expect(last).toEqual({ from: iso(from), to: iso(to), time_zone: zone })
    expect(spanOf("this_month", zone, new Date(now)).from).toBe(last.to)
  })
})

describe("a browser whose time zone is not known", () => {
  it.each(["Etc/Unknown", "", undefined])("has UTC instead of %p", (timeZone) => {
    const resolved = Intl.DateTimeFormat().resolvedOptions()
    const spy = jest
      .spyOn(Intl.DateTimeFormat.prototype, "resolvedOptions")
      .mockReturnValue({ ...resolved, timeZone } as Intl.ResolvedDateTimeFormatOptions)
    expect([browsersZone(), ownZone()]).toEqual([null, "UTC"])
    expect(spanOf("today").time_zone).toBe("UTC")
    spy.mockRestore()
  })
})

describe("dates of a filter in a chosen time zone", () => {
  /** The browser's midnight, as Medusa's calendar answers. */
  const day = (number: number) => new Date(2026, 9, number).toISOString()
  const zone = "America/New_York"

  it("end with today there, and begin 90 days before their end, where they are open", () => {
    const now = new Date("2026-10-08T03:00:00Z")
    expect(spanIn(JSON.stringify({ $gte: day(5) }), zone, now)).toEqual({
      from: iso("2026-10-05T04:00:00Z"),
      to: iso("2026-10-08T04:00:00Z"),
    })
    // The browser's today may be tomorrow there.
    expect(spanIn(JSON.stringify({ $gte: day(8) }), zone, now)).toEqual({
      from: iso("2026-10-08T04:00:00Z"),
      to: iso("2026-10-09T04:00:00Z"),
    })
    expect(spanIn(JSON.stringify({ $lte: day(7) }), "Europe/Berlin")).toEqual({
      from: iso("2026-07-09T22:00:00Z"),
      to: iso("2026-10-07T22:00:00Z"),
    })
  })
})
