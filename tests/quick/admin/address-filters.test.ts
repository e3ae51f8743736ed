import {
  chosenIn,
  codeIn,
  codesIn,
  datesIn,
  lastDayBefore,
  openedIn,
} from "../../../admin/lib/address"
import { spanIn } from "../../../admin/lib/period"

/** Local midnight, as Medusa's calendar answers for a day. */
const day = (number: number) => new Date(2026, 5, number).toISOString()

describe("a filter in the address bar", () => {
  it.each([
    ['"open"', "open"],
    ['["paid","canceled"]', ["paid", "canceled"]],
    ["open", "open"],
    ["null", undefined],
    ['""', undefined],
    ["", undefined],
    [undefined, undefined],
    ["{broken", "{broken"],
  ])("%s asks for %j", (filter, chosen) => {
    expect(chosenIn(filter)).toEqual(chosen)
  })

  it.each([
    ['["paid","canceled"]', ["paid", "canceled"]],
    ['"paid"', ["paid"]],
    ["paid", ["paid"]],
    ["1", ["1"]],
    ["true", ["true"]],
    ["[]", undefined],
    ["null", undefined],
    ['{"$gte":"x"}', undefined],
    ['[{"a":1}]', undefined],
  ])("%s means the codes %j", (filter, codes) => {
    expect(codesIn(filter)).toEqual(codes)
    expect(codeIn(filter)).toBe(codes?.[0])
  })

  it("takes the whole of the last day that was chosen", () => {
    expect(datesIn(JSON.stringify({ $gte: day(1), $lte: day(30) }))).toEqual({
      from: day(1),
      to: day(31),
    })
    expect(datesIn(JSON.stringify({ $gte: day(5), $lte: day(5) }))).toEqual({
      from: day(5),
      to: day(6),
    })
  })

  it.each(["null", "yesterday", '{"$gte":"never"}', '{"$gte":null,"$lte":7}', "[]"])(
    "%s is no date",
    (filter) => {
      expect(datesIn(filter)).toEqual({})
      expect(spanIn(filter)).toBeNull()
    }
  )

  it("is the period of a card that leads to the list", () => {
    const period = { from: day(1), to: day(8) }
    expect(datesIn(JSON.stringify(openedIn(period).opened_at))).toEqual(period)
    expect(new Date(lastDayBefore(period.to)).getDate()).toBe(7)
  })
})
