import type { Refusal } from "../../problems/rules/refusals"
import type { Period } from "../../values/local-days"

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const LONGEST_PAUSE = 6 * HOUR

/** The facts of a merchant's last comparison on which the next one depends. */
export interface LastRun extends Period {
  finished_at: Date | null
  error: string | null
  /** The error's codes. */
  reasons: Pick<Refusal, "code">[] | null
}

/**
 * The span to compare now, or null when nothing is due. A comparison covers the last `days` days and is due once in each day of UTC,
 * which begins at night in Russia. After one that died or ended early, the same span is compared again, about nine times a day.
 */
export function spanToCompare(last: LastRun | null, now: Date, days: number): Period | null {
  const today = Math.floor(now.getTime() / DAY) * DAY
  if (!last || last.to.getTime() < today) return lastDays(now, days)
  const again = { from: last.from, to: last.to }
  if (!last.finished_at) return again
  const failedFor = last.finished_at.getTime() - last.to.getTime()
  const pause = Math.min(Math.max(failedFor / 2, HOUR), LONGEST_PAUSE)
  const isOver = last.error === null || lacksRecordsOnly(last)
  return !isOver && now.getTime() >= last.finished_at.getTime() + pause ? again : null
}

/** Whether a comparison could not read some records, and compared all else. The same list would have them again. */
export function lacksRecordsOnly({ reasons }: Pick<LastRun, "reasons">): boolean {
  return reasons?.length === 1 && reasons[0]?.code === "records_unreadable"
}

/** The span of the last `days` days. */
export function lastDays(now: Date, days: number): Period {
  return { from: new Date(now.getTime() - days * DAY), to: now }
}

/**
 * The part of a span in which the list surely has every transaction. At the beginning clocks and time zones may differ, and at
 * the end the list may lag behind.
 */
export function surelyListed({ from, to }: Period): Period {
  const margin = Math.min(DAY, (to.getTime() - from.getTime()) / 4)
  return { from: new Date(from.getTime() + margin), to: new Date(to.getTime() - HOUR) }
}
