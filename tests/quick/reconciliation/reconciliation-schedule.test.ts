import {
  type LastRun,
  spanToCompare,
  surelyListed,
} from "../../../src/reconciliation/rules/schedule"

const HOUR = 3_600_000
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

describe("when a comparison is due", () => {
  it("is again for the same span an hour after a failure, and then less and less often", () => {
    const { from, to } = finished()
    let last = finished({ error: "not available", finished_at: to })
    const attempts: number[] = []
    for (let now = to.getTime(); now < at("09T00:00").getTime(); now += 10 * 60_000) {
      const span = spanToCompare(last, new Date(now), 7)
      if (!span) continue
      expect(span).toEqual({ from, to })
      attempts.push((now - to.getTime()) / HOUR)
      last = finished({ error: "not available", finished_at: new Date(now) })
    }
    expect(attempts.slice(0, 3)).toEqual([1, 2, 3])
    expect(attempts.length).toBeLessThan(10)
    expect(spanToCompare(last, at("09T00:10"), 7)?.to).toEqual(at("09T00:10"))
  })

  it("leaves a margin at both ends for what the list need not have", () => {
    expect(surelyListed(finished())).toEqual({ from: at("02T00:20"), to: at("07T23:20") })
    const day = { from: at("01T00:00"), to: at("02T00:00") }
    expect(surelyListed(day)).toEqual({ from: at("01T06:00"), to: at("01T23:00") })
  })
})
