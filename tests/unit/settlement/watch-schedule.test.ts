import { nextWatchAt, type WatchedTransaction } from "../../../src/settlement/watch-schedule"

const CREATED = new Date("2026-01-01T12:00:00.000Z")
const EXPIRES = new Date("2026-01-01T12:15:00.000Z")
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

function watched(changes: Partial<WatchedTransaction> = {}): WatchedTransaction {
  return {
    state: "pending",
    created_at: CREATED,
    expires_at: EXPIRES,
    settled_at: null,
    hinted_at: null,
    apply_after: null,
    ...changes,
  }
}

const after = (ms: number) => new Date(CREATED.getTime() + ms)
const afterExpiry = (ms: number) => new Date(EXPIRES.getTime() + ms)

/** Every moment at which a transaction is watched, if each watch happens on time. */
function moments(transaction: WatchedTransaction): number[] {
  const found: number[] = []
  let now: Date | null = CREATED
  while (found.length < 1_000) {
    now = nextWatchAt(transaction, now)
    if (!now) return found
    found.push(now.getTime() - CREATED.getTime())
  }
  throw new Error("It is watched for ever")
}

describe("the watcher's schedule", () => {
  it("looks at 5, 15, 35 and 75 seconds, each minute until the time is over, then ever later for a day", () => {
    const all = moments(watched())
    expect(all.slice(0, 6)).toEqual([5, 15, 35, 75, 135, 195].map((s) => s * second))
    const young = all.filter((at) => at < 15 * minute)
    expect(young.at(-1)).toBeGreaterThan(13 * minute)
    expect(all.slice(young.length).map((at) => at - 15 * minute)).toEqual([
      2 * minute + 5 * second,
      10 * minute,
      hour,
      6 * hour,
      24 * hour,
    ])
  })

  it("never plans the past, whatever the moment", () => {
    for (let at = 0; at < 26 * hour; at += 37 * second) {
      const next = nextWatchAt(watched(), after(at))
      if (next) expect(next.getTime()).toBeGreaterThan(after(at).getTime())
    }
  })

  it("catches up after a standstill with one look, not with all that were missed", () => {
    expect(nextWatchAt(watched(), after(7 * minute))).toEqual(after(8 * minute))
    expect(nextWatchAt(watched(), afterExpiry(3 * hour))).toEqual(afterExpiry(6 * hour))
  })

  it("is young again when somebody says that something happened", () => {
    const hinted = watched({ hinted_at: afterExpiry(3 * hour) })
    expect(nextWatchAt(hinted, afterExpiry(3 * hour))).toEqual(afterExpiry(3 * hour + 5 * second))
    expect(nextWatchAt(hinted, afterExpiry(3 * hour + 76 * second))).toEqual(afterExpiry(6 * hour))
  })

  it("is over a day after expiry, and at once when Medusa has the money", () => {
    expect(nextWatchAt(watched(), afterExpiry(24 * hour))).toBeNull()
    expect(nextWatchAt(watched({ state: "paid", settled_at: after(0) }), after(minute))).toBeNull()
  })

  it("takes an hour for granted when the service gave no time to pay", () => {
    expect(moments(watched({ expires_at: null })).at(-1)).toBe(25 * hour)
  })

  it("tries again as soon as it may what is paid and not yet in Medusa", () => {
    const paid = watched({ state: "paid", apply_after: after(9 * minute) })
    expect(nextWatchAt(paid, after(minute))).toEqual(after(9 * minute))
    expect(nextWatchAt({ ...paid, apply_after: null }, after(minute))).toEqual(
      after(minute + 5 * second)
    )
  })

  it.each(["canceled", "expired"] as const)(
    "goes on with a %s one, which can be paid late",
    (state) => {
      expect(nextWatchAt(watched({ state }), afterExpiry(0))).not.toBeNull()
    }
  )
})
