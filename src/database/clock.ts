import type { RunSql } from "./sql"

/** The time of every rule, also in SQL, so that a test can set it. Leases and core's locks expire by the database's own clock. */
export interface Clock {
  now(): Date
}

const RESYNC_AFTER_MS = 60_000
const RETRY_AFTER_MS = 2_000
const SLOW_ANSWER_MS = 1_000

/** The database's time, so that all instances of a store agree on what is due; between two readings, a monotonic counter is added. */
export class DatabaseClock implements Clock {
  /** The database's time when the counter was 0, in milliseconds; null until it is known. */
  private atZero: number | null = null
  private lookedAt = -Infinity

  constructor(private readonly run: RunSql) {}

  now(): Date {
    const counter = performance.now()
    // When the reading fails, counting goes on from the last one.
    if (counter - this.lookedAt > RESYNC_AFTER_MS) this.look().catch(() => undefined)
    return new Date(this.atZero === null ? Date.now() : this.atZero + counter)
  }

  async look(): Promise<void> {
    const asked = performance.now()
    this.lookedAt = asked - RESYNC_AFTER_MS + RETRY_AFTER_MS
    const [row] = await this.run<{ ms: string | number }[]>`
      select extract(epoch from clock_timestamp()) * 1000 as ms`
    const heard = performance.now()
    // Counting on from the last answer is better than a slow one.
    if (!row || (this.atZero !== null && heard - asked > SLOW_ANSWER_MS)) return
    // The answer is from some moment between asking and hearing, so the middle is taken.
    this.atZero = Number(row.ms) - (asked + heard) / 2
    this.lookedAt = heard
  }
}
