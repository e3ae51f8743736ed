import { generateEntityId } from "@medusajs/framework/utils"

import type { Clock } from "./clock"
import { columnsAndValues, type RunSql, sql } from "./sql"
import type { CallbackRow } from "./tables"

/** Callbacks can arrive before the service's reply to our own creation; unknown ids wait this long. */
const UNKNOWN_ID_PATIENCE_MS = 60_000
/** The process that writes a callback down settles it at once; after this long, others take it up. */
const FIRST_LOOK_MS = 10_000
/** First pause before an inbox row is looked at again, doubled at each attempt. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10 * 60_000
const MOST_ATTEMPTS = 12
const RETENTION_DAYS = 30

/** In SQL: a callback that is not closed yet. */
export const WAITING = sql`state = 'waiting' and deleted_at is null`

/** Keeps the ids that callbacks name, from before they are answered until their transactions are settled. */
export class Inbox {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** Writes down the transactions that a callback names; `null` when it names none. */
  async keep(input: {
    transactionIds: string[]
    size: number
    digest: string
  }): Promise<CallbackRow | null> {
    if (!input.transactionIds.length) {
      return null
    }
    const now = this.clock.now()
    const columns = {
      id: generateEntityId("", "pscb"),
      transaction_ids: JSON.stringify(input.transactionIds.map((id) => id.toLowerCase())),
      size: input.size,
      digest: input.digest,
      received_at: now,
      next_attempt_at: new Date(now.getTime() + FIRST_LOOK_MS),
    } satisfies Partial<Record<keyof CallbackRow, unknown>>
    const [callback] = await this.run<CallbackRow[]>(
      sql`insert into payment_service_callback ${columnsAndValues(columns)} returning *`
    )
    return callback ?? null
  }

  /**
   * Takes inbox rows that are due, each for one worker only: claiming moves its next attempt, so a
   * worker that dies leaves the row due again by itself.
   */
  async claimDue(limit: number): Promise<CallbackRow[]> {
    const now = this.clock.now()
    return await this.run(
      sql`update payment_service_callback set attempts = attempts + 1,
         next_attempt_at = ${now}::timestamptz + least(${FIRST_PAUSE_MS} * power(2, least(attempts, 20)),
           ${LONGEST_PAUSE_MS}) * (0.75 + random() / 2) * interval '1 millisecond'
       where id in (
         select id from payment_service_callback
         where ${WAITING} and next_attempt_at <= ${now}
         order by next_attempt_at limit ${limit} for update skip locked)
       returning *`
    )
  }

  /**
   * Records an attempt at an inbox row. It is closed when every transaction was settled, when none of its ids
   * has turned out to be ours within a minute, or when it failed so often that only the watcher goes on.
   *
   * @returns the state of the inbox row now
   */
  async recordAttempt(
    row: CallbackRow,
    outcome: "settled" | "failed" | "none of ours"
  ): Promise<CallbackRow["state"]> {
    const patienceIsOver =
      this.clock.now().getTime() - row.received_at.getTime() >= UNKNOWN_ID_PATIENCE_MS
    const state =
      outcome === "settled"
        ? "handled"
        : outcome === "none of ours"
          ? patienceIsOver && "unknown"
          : row.attempts >= MOST_ATTEMPTS && "parked"
    if (state) {
      await this.run(
        sql`update payment_service_callback set state = ${state}, next_attempt_at = null, updated_at = now()
         where id = ${row.id}`
      )
    } else if (row.attempts === 0) {
      const next = new Date(this.clock.now().getTime() + FIRST_PAUSE_MS)
      await this.run(
        sql`update payment_service_callback set next_attempt_at = ${next} where id = ${row.id} and attempts = 0`
      )
    }
    return state || "waiting"
  }

  /**
   * Closes the inbox rows none of whose ids has turned out to be ours in a minute. All at once, so that a
   * flood of them does not keep those that are ours waiting for their turn.
   */
  async closeUnknown(): Promise<void> {
    const mostRecent = new Date(this.clock.now().getTime() - UNKNOWN_ID_PATIENCE_MS)
    await this.run(
      sql`update payment_service_callback callback
       set state = 'unknown', next_attempt_at = null, updated_at = now()
       where ${WAITING} and received_at <= ${mostRecent} and not exists (
         select 1 from jsonb_array_elements_text(callback.transaction_ids) named(id)
         join payment_service_transaction t on t.transaction_key = named.id and t.deleted_at is null
         offset 0)`
    )
  }

  /** Deletes closed inbox rows after 30 days. */
  async forgetOld(): Promise<void> {
    await this.run(
      sql`delete from payment_service_callback where state <> 'waiting'
         and received_at < ${this.clock.now()}::timestamptz - (${RETENTION_DAYS} * interval '1 day')`
    )
  }
}
