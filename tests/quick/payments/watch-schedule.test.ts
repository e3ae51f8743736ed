import { isGivenUpUnread, nextWatchAt } from "../../../src/payments/rules/timing"
import type { Transaction } from "../../../src/payments/rules/transaction"
import { aRow } from "./situations"

const CREATED = new Date("2026-01-01T12:00:00.000Z")
const EXPIRES = new Date("2026-01-01T12:15:00.000Z")
const second = 1_000
const minute = 60 * second
const hour = 60 * minute

function watched(changes: Partial<Transaction> = {}): Transaction {
  return aRow({ opened_at: CREATED, expires_at: EXPIRES, ...changes })
}

const after = (ms: number) => new Date(CREATED.getTime() + ms)
const afterExpiry = (ms: number) => new Date(EXPIRES.getTime() + ms)

/** Every moment at which a transaction is watched, if each watch happens on time. */
function moments(transaction: Transaction): number[] {
  const found: number[] = []
  let now: Date | null = CREATED
  while (found.length < 1_000) {
    // The service answers at each look.
    now = nextWatchAt({ ...transaction, read_at: now }, now)
    if (!now) return found
    found.push(now.getTime() - CREATED.getTime())
  }
  throw new Error("It is watched for ever")
}

describe("the watcher's schedule (promise 3)", () => {
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

  it("repeats a look that the service did not answer, so that an outage uses none of them up", () => {
    const none = watched({ read_at: after(14 * minute) })
    expect(nextWatchAt(none, afterExpiry(hour), true)).toEqual(afterExpiry(hour + 75 * second))
    expect(nextWatchAt(none, afterExpiry(9 * hour), true)).toEqual(
      afterExpiry(9 * hour + 555 * second)
    )
    expect(nextWatchAt(none, afterExpiry(20 * hour), true)).toEqual(
      afterExpiry(20 * hour + 10 * minute)
    )
    expect(nextWatchAt(none, afterExpiry(hour))).toEqual(afterExpiry(6 * hour))
  })

  it("looks less and less often at what may be paid for days, but each minute in its first hour", () => {
    const week = watched({ expires_at: after(7 * 24 * hour) })
    const all = moments(week)
    expect(all.length).toBeLessThan(400)
    const pauses = all.slice(1).map((at, index) => ({ at, pause: at - (all[index] ?? 0) }))
    const longestUntil = (ms: number) =>
      Math.max(...pauses.filter(({ at }) => at <= ms).map(({ pause }) => pause))
    expect(longestUntil(hour)).toBe(minute)
    expect(longestUntil(10 * hour)).toBeLessThanOrEqual(10 * minute)
    expect(longestUntil(7 * 24 * hour)).toBeLessThan(3 * hour)
    // It is young again when a callback comes.
    const hinted = { ...week, hinted_at: after(100 * hour) }
    expect(nextWatchAt(hinted, after(100 * hour))).toEqual(after(100 * hour + 5 * second))
  })

  it("is young again when somebody says that something happened", () => {
    const hinted = watched({ hinted_at: afterExpiry(3 * hour) })
    expect(nextWatchAt(hinted, afterExpiry(3 * hour))).toEqual(afterExpiry(3 * hour + 5 * second))
    expect(nextWatchAt(hinted, afterExpiry(3 * hour + 76 * second))).toEqual(afterExpiry(6 * hour))
  })

  it("does not look twice within five seconds, however soon after the opening a callback came", () => {
    for (const callbackAt of [0.08, 1, 4.9, 12]) {
      const all = moments(watched({ hinted_at: after(callbackAt * second) }))
      const pauses = all.slice(1).map((at, index) => at - (all[index] ?? 0))
      expect(Math.min(...pauses)).toBeGreaterThanOrEqual(5 * second)
      // The last look is not lost.
      expect(all.at(-1)).toBeGreaterThanOrEqual(24 * hour + 15 * minute)
    }
  })

  describe.each([
    ["settled", "settled_at"],
    ["taken care of", "handled_at"],
  ] as const)("of what has %s", (_, final) => {
    const over = (changes: Partial<Transaction> = {}) =>
      watched({ state: "paid", paid_at: after(0), [final]: after(minute), ...changes })

    it("is over, also when a callback had named it before", () => {
      expect(nextWatchAt(over(), after(hour))).toBeNull()
      expect(nextWatchAt(over({ hinted_at: after(minute) }), after(minute + second))).toBeNull()
    })

    it("is that of a young one when a callback names it, and over again then", () => {
      const hinted = over({ hinted_at: after(hour) })
      const looks: number[] = []
      for (let now = nextWatchAt(hinted, after(hour)); now;) {
        looks.push(now.getTime() - after(hour).getTime())
        now = nextWatchAt({ ...hinted, read_at: now }, now)
      }
      expect(looks).toEqual([5, 15, 35, 75].map((s) => s * second))
    })
  })

  it("waits, for a week at most, for a service that was down when the last look was due", () => {
    const unread = watched({ read_at: afterExpiry(6 * hour) })
    expect(nextWatchAt(unread, afterExpiry(24 * hour))).toEqual(
      afterExpiry(24 * hour + 10 * minute)
    )
    expect(nextWatchAt(unread, afterExpiry(8 * 24 * hour))).toBeNull()
  })

  it("is over a day after expiry, and at once when Medusa has the money", () => {
    const read = watched({ read_at: afterExpiry(24 * hour) })
    expect(nextWatchAt(read, afterExpiry(24 * hour))).toBeNull()
    expect(nextWatchAt(watched({ state: "paid", settled_at: after(0) }), after(minute))).toBeNull()
  })

  describe("of what is paid and not yet in Medusa", () => {
    const paid = (changes: Partial<Transaction> = {}) =>
      watched({ state: "paid", paid_at: after(minute), ...changes })

    it("is tried again soon, but not before it may be", () => {
      expect(nextWatchAt(paid(), after(minute))).toEqual(after(minute + 5 * second))
      const refused = paid({ apply_after: after(9 * minute) })
      expect(nextWatchAt(refused, after(minute))).toEqual(after(9 * minute))
      expect(nextWatchAt(refused, after(10 * minute))).toEqual(after(10 * minute + 5 * second))
    })

    it("is looked at less and less often while a person is waited for, at least every ten minutes", () => {
      const troubled = paid({ exception_at: after(minute) })
      const pauseAfter = (waited: number) =>
        nextWatchAt(troubled, after(minute + waited))!.getTime() - after(minute + waited).getTime()
      expect(pauseAfter(0)).toBe(5 * second)
      expect(pauseAfter(10 * second)).toBe(5 * second)
      expect(pauseAfter(minute)).toBe(30 * second)
      expect(pauseAfter(10 * minute)).toBe(5 * minute)
      expect(pauseAfter(20 * minute)).toBe(10 * minute)
      expect(pauseAfter(20 * hour)).toBe(10 * minute)
      const all = moments(troubled)
      expect(all.length).toBeLessThan(200)
      expect(all.at(-1)).toBeLessThanOrEqual(15 * minute + 24 * hour + 10 * minute)
    })
  })

  it("gives up what was never read after its end a week later, and only then", () => {
    const week = 7 * 24 * hour
    const end = 24 * hour
    const unread = watched({ read_at: afterExpiry(hour) })
    for (const [changes, after, givenUp] of [
      [{}, end + week, true],
      [{ state: "paid", paid_at: afterExpiry(0) }, end + week, true],
      [{}, end + week - 1, false],
      [{ read_at: afterExpiry(end) }, end + week, false],
      [{ settled_at: afterExpiry(0) }, end + week, false],
      [{ handled_at: afterExpiry(0) }, end + week, false],
    ] as [Partial<Transaction>, number, boolean][]) {
      const transaction = { ...unread, ...changes }
      expect(isGivenUpUnread(transaction, afterExpiry(after))).toBe(givenUp)
      if (givenUp) expect(nextWatchAt(transaction, afterExpiry(after))).toBeNull()
    }
  })
})
