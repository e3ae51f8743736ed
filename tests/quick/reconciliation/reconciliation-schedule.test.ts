import {
  isComparisonDue,
  type LastRun,
  spanToCompare,
  surelyListed,
} from "../../../src/reconciliation/rules/comparison"

const at = (text: string) => new Date(`2026-03-${text}:00.000Z`)

function finished(changes: Partial<LastRun> = {}): LastRun {
  return {
    from: at("01T00:20"),
    to: at("08T00:20"),
    finished_at: at("08T00:25"),
    error: null,
    reasons: null,
    ...changes,
  }
}

describe("when a comparison is due (promise 13)", () => {
  it("is the first time at once, and when the last one died", () => {
    expect(isComparisonDue(null, at("08T14:20"))).toBe(true)
    expect(isComparisonDue(finished({ finished_at: null }), at("08T00:30"))).toBe(true)
  })

  it("is once in each day of UTC, however late the last one came", () => {
    expect(isComparisonDue(finished(), at("08T23:59"))).toBe(false)
    expect(isComparisonDue(finished(), at("09T00:00"))).toBe(true)
    const late = finished({ to: at("08T23:20"), finished_at: at("08T23:25") })
    expect(isComparisonDue(late, at("09T00:20"))).toBe(true)
  })

  it("is again three hours after a failure", () => {
    const last = finished({ error: "not available" })
    expect(isComparisonDue(last, at("08T03:24"))).toBe(false)
    expect(isComparisonDue(last, at("08T03:25"))).toBe(true)
  })

  it("is not before the next day when only some records could not be read", () => {
    const unreadable = { code: "records_unreadable", detail: "" } as const
    const last = finished({
      error: "1 of the list's records could not be read",
      reasons: [unreadable],
    })
    expect(isComparisonDue(last, at("08T23:59"))).toBe(false)
    expect(isComparisonDue(last, at("09T00:00"))).toBe(true)
    for (const reasons of [[], [unreadable, { code: "timeout", detail: "" } as const]]) {
      expect(isComparisonDue({ ...last, reasons }, at("08T23:59"))).toBe(true)
    }
  })
})

it("a comparison covers 35 days, and leaves a margin at both ends for what the list need not have", () => {
  expect(spanToCompare(at("08T14:20"))).toEqual({
    from: new Date("2026-02-01T14:20:00.000Z"),
    to: at("08T14:20"),
  })
  expect(surelyListed(finished())).toEqual({ from: at("02T00:20"), to: at("07T23:20") })
})
