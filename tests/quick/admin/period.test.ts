import { chosenIn, codeIn, codesIn, datesIn } from "../../../admin/lib/address"
import { ownZone, spanIn, spanOf } from "../../../admin/lib/period"

/** A moment on the clocks of this process, as the browser has them. */
const at = (month: number, day: number, hour = 0) => new Date(2026, month - 1, day, hour)
const iso = (month: number, day: number) => at(month, day).toISOString()

describe("a period (promise 20)", () => {
  it.each([
    ["today", iso(11, 1), iso(11, 2)],
    ["yesterday", iso(10, 31), iso(11, 1)],
    ["last_7_days", iso(10, 26), iso(11, 2)],
    // In some zones the clocks were set back in these days.
    ["last_30_days", iso(10, 3), iso(11, 2)],
    ["this_month", iso(11, 1), iso(12, 1)],
    ["last_month", iso(10, 1), iso(11, 1)],
  ] as const)("%s is in whole days of the browser's clocks", (period, from, to) => {
    for (const hour of [0, 12, 23]) {
      expect(spanOf(period, at(11, 1, hour))).toEqual({ from, to, time_zone: ownZone() })
    }
  })
})

describe("dates of a filter", () => {
  it("end with today, and begin 90 days before their end, where they are open", () => {
    expect(spanIn(JSON.stringify({ $gte: iso(10, 5), $lte: iso(10, 7) }))).toEqual({
      from: iso(10, 5),
      to: iso(10, 8),
    })
    expect(spanIn(JSON.stringify({ $gte: iso(10, 5) }))).toEqual({
      from: iso(10, 5),
      to: spanOf("today").to,
    })
    const { from, to } = spanIn(JSON.stringify({ $lte: iso(10, 7) })) ?? {}
    expect(to).toBe(iso(10, 8))
    expect(Date.parse(to ?? "") - Date.parse(from ?? "")).toBe(90 * 86_400_000)
    expect(spanIn(null)).toBeNull()
  })
})

describe("a filter in the address bar (promise 20)", () => {
  it.each([
    ['"open"', "open"],
    ['["paid","canceled"]', ["paid", "canceled"]],
    ["open", "open"],
    ['""', undefined],
    [undefined, undefined],
    ["{broken", "{broken"],
  ])("%s asks for %j", (filter, chosen) => {
    expect(chosenIn(filter)).toEqual(chosen)
  })

  it.each([
    ['["paid","canceled"]', ["paid", "canceled"]],
    ['"paid"', ["paid"]],
    ["paid", ["paid"]],
    ["[]", undefined],
    ["null", undefined],
    ['{"$gte":"x"}', undefined],
    ['[{"a":1}]', undefined],
  ])("%s means the codes %j", (filter, codes) => {
    expect(codesIn(filter)).toEqual(codes)
    expect(codeIn(filter)).toBe(codes?.[0])
  })

  it("takes the whole of the last day that was chosen", () => {
    expect(datesIn(JSON.stringify({ $gte: iso(6, 1), $lte: iso(6, 30) }))).toEqual({
      from: iso(6, 1),
      to: iso(7, 1),
    })
    expect(datesIn(JSON.stringify({ $gte: iso(6, 5), $lte: iso(6, 5) }))).toEqual({
      from: iso(6, 5),
      to: iso(6, 6),
    })
  })

  it.each(["null", "yesterday", '{"$gte":"never"}', '{"$gte":null,"$lte":7}', "[]"])(
    "%s is no date",
    (filter) => {
      expect(datesIn(filter)).toEqual({})
      expect(spanIn(filter)).toBeNull()
    }
  )
})
