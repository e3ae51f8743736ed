import type { Refusal } from "../../problems/rules/reasons"
import type { Period } from "../../values/local-days"

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const PAUSE_AFTER_FAILURE = 3 * HOUR
/** Later news of a payment is found by its own read. */
const COMPARED_DAYS = 35

/** The facts of a merchant's last comparison on which the next one depends. */
export interface LastRun extends Period {
  finished_at: Date | null
  error: string | null
  reasons: Pick<Refusal, "code">[] | null
}

/** Whether to compare now: once in each day of UTC, which begins at night in Russia, and again after one that died or ended early. */
export function isComparisonDue(last: LastRun | null, now: Date): boolean {
  const today = Math.floor(now.getTime() / DAY) * DAY
  if (!last?.finished_at || last.to.getTime() < today) return true
  const isOver = last.error === null || lacksRecordsOnly(last)
  return !isOver && now.getTime() >= last.finished_at.getTime() + PAUSE_AFTER_FAILURE
}

/** Whether a comparison could not read some records, and compared all else. The same list would have them again. */
export function lacksRecordsOnly({ reasons }: Pick<LastRun, "reasons">): boolean {
  return reasons?.length === 1 && reasons[0]?.code === "records_unreadable"
}

export function spanToCompare(now: Date): Period {
  return { from: new Date(now.getTime() - COMPARED_DAYS * DAY), to: now }
}

/**
 * The part of a span in which the list surely has every transaction. At the beginning clocks and time zones may differ, and at
 * the end the list may lag behind.
 */
export function surelyListed({ from, to }: Period): Period {
  return { from: new Date(from.getTime() + DAY), to: new Date(to.getTime() - HOUR) }
}
