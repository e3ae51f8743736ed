import { type RunSql, sql } from "./sql"

/**
 * Tells the time. Every rule about a time in our tables uses this clock, in SQL too, so that TypeScript and SQL agree on what is
 * due and a test can set both. Statements use the database's own clock for three things only: `updated_at`, which no rule reads,
 * entries of a transaction's journal, which are only shown, and leases and core's locks, which expire in real time after their
 * holder died, whatever clock a test sets.
 */
export interface Clock {
  now(): Date
}

const RESYNC_AFTER_MS = 60_000
/** How far two machines' counters are thought to drift apart in a millisecond: more than quartz does. */
const DRIFT = 1e-4

/**
 * The database's time, so that all instances of a store agree on what is due, however wrong the clock of one machine is. Between
 * two readings of the database's clock, the machine's monotonic counter is added, which does not jump when somebody sets the
 * machine's clock.
 */
export class DatabaseClock implements Clock {
  private known: { time: number; at: number; roundTrip: number } | null = null
  private looking: Promise<void> | null = null

  constructor(private readonly run: RunSql) {}

  now(): Date {
    const { known } = this
    if (!known || performance.now() - known.at > RESYNC_AFTER_MS) {
      // When the reading fails, counting goes on from the last one.
      this.look().catch(() => undefined)
    }
    return new Date(known ? known.time + performance.now() - known.at : Date.now())
  }

  /** Reads the database's clock now; simultaneous callers share one reading. */
  look(): Promise<void> {
    this.looking ??= this.readDatabase().finally(() => {
      this.looking = null
    })
    return this.looking
  }

  private async readDatabase(): Promise<void> {
    const before = performance.now()
    const [row] = await this.run<{ ms: string | number }[]>(
      sql`select extract(epoch from clock_timestamp()) * 1000 as ms`
    )
    if (!row) return
    const heard = performance.now()
    const roundTrip = heard - before
    const { known } = this
    // A slow answer is no better than counting on from a quick one, and would make the time step back.
    if (known && roundTrip > known.roundTrip + DRIFT * (heard - known.at)) return
    // The answer is from some moment between asking and hearing, so the middle is taken.
    this.known = { time: Number(row.ms), at: heard - roundTrip / 2, roundTrip }
  }
}
