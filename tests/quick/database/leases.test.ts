import { Leases, LONGEST_LEASED_WORK_MS } from "../../../src/database/leases"
import { COMPARISON_LEASE } from "../../../src/payments/rules/timing"
import { runnerOf } from "../../../src/database/sql"

const TTL_MS = 15_000

beforeEach(() => jest.useFakeTimers())
afterEach(() => jest.useRealTimers())

/** A lease is free, and every statement is remembered with its time. */
function leases() {
  const renewals: number[] = []
  const run = runnerOf(<T>({ sql }: { sql: string }) => {
    if (sql.trim().startsWith("update")) renewals.push(Date.now())
    return Promise.resolve([{ id: "a" }] as T)
  })
  return { leases: new Leases(run), renewals }
}

it("is renewed while the work goes on, and no more when it has ended", async () => {
  const { leases: held, renewals } = leases()
  let end = (): void => undefined
  const work = held.hold(
    "opening:a",
    { ttlMs: TTL_MS, waitMs: 0 },
    () => new Promise<void>((done) => (end = done))
  )
  await jest.advanceTimersByTimeAsync(4 * TTL_MS)
  const before = renewals.length
  expect(before).toBe(12)
  end()
  await work
  await jest.advanceTimersByTimeAsync(4 * TTL_MS)
  expect(renewals).toHaveLength(before)
})

it.each([
  ["other work", undefined, LONGEST_LEASED_WORK_MS],
  ["a comparison", COMPARISON_LEASE.longestMs, COMPARISON_LEASE.longestMs],
])(
  "runs out when %s hangs, so that somebody else can take it over (promise 28)",
  async (_, longestMs, ends) => {
    const { leases: held, renewals } = leases()
    const began = Date.now()
    const times = { ttlMs: TTL_MS, ...(longestMs && { longestMs }) }
    void held.holdIfFree("opening:a", times, () => new Promise<void>(() => undefined))
    await jest.advanceTimersByTimeAsync(ends + LONGEST_LEASED_WORK_MS)
    expect(Math.max(...renewals) - began).toBeLessThanOrEqual(ends)
    expect(Math.max(...renewals) - began).toBeGreaterThan(ends - TTL_MS)
  }
)
