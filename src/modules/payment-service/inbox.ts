import { generateEntityId } from "@medusajs/framework/utils"

import type { Clock } from "./clock"
import type { RunSql } from "./leases"
import type { CallbackRow } from "./tables"

/** Callbacks can arrive before the service's reply to our own creation; unknown ids wait this long. */
const UNKNOWN_ID_PATIENCE_MS = 60_000
/** Whoever writes a callback down settles it at once: it is taken up when they have died. */
const FIRST_LOOK_MS = 10_000
/** First pause before an inbox row is looked at again, doubled at each attempt. */
const FIRST_PAUSE_MS = 1_000
const LONGEST_PAUSE_MS = 10 * 60_000
const MOST_ATTEMPTS = 12
const RETENTION_DAYS = 30

/** In SQL: a callback that somebody still has to look at. */
export const WAITING = "state = 'waiting' and deleted_at is null"

/** What callbacks named, written down before they are answered, until somebody has looked at it. */
export class Inbox {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** Writes down that somebody names these transactions; `null` when there is nothing to write down. */
  async keep(input: {
    transactionIds: string[]
    size: number
    digest: string
  }): Promise<CallbackRow | null> {
    if (!input.transactionIds.length) {
      return null
    }
    const now = this.clock.now()
    const [callback] = await this.run<CallbackRow[]>(
      `insert into payment_service_callback
         (id, transaction_ids, size, digest, received_at, next_attempt_at)
       values (?, ?::jsonb, ?, ?, ?, ?) returning *`,
      [
        generateEntityId("", "pscb"),
        JSON.stringify(input.transactionIds.map((id) => id.toLowerCase())),
        input.size,
        input.digest,
        now,
        new Date(now.getTime() + FIRST_LOOK_MS),
      ]
    )
    return callback ?? null
  }

  /**
   * Takes inbox rows that are due, each for one worker only: claiming moves its next attempt, so a
   * worker that dies leaves the row due again by itself.
   */
  async claimDue(limit: number): Promise<string[]> {
    const now = this.clock.now()
    const claimed = await this.run<{ id: string }[]>(
      `update payment_service_callback set attempts = attempts + 1,
         next_attempt_at = ?::timestamptz + least(? * power(2, least(attempts, 20)), ?) * (0.75 + random() / 2) * interval '1 millisecond'
       where id in (
         select id from payment_service_callback
         where ${WAITING} and next_attempt_at <= ?
         order by next_attempt_at limit ? for update skip locked)
       returning id`,
      [now, FIRST_PAUSE_MS, LONGEST_PAUSE_MS, now, limit]
    )
    return claimed.map(({ id }) => id)
  }

  /**
   * After an attempt at an inbox row: closed when every transaction was settled, when none of its ids has
   * turned out to be ours in a minute, and when it failed so often that the watcher may go on alone.
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
        "update payment_service_callback set state = ?, next_attempt_at = null, updated_at = now() where id = ?",
        [state, row.id]
      )
    } else if (row.attempts === 0) {
      await this.run(
        "update payment_service_callback set next_attempt_at = ? where id = ? and attempts = 0",
        [new Date(this.clock.now().getTime() + FIRST_PAUSE_MS), row.id]
      )
    }
    return state || "waiting"
  }

  /**
   * Closes the inbox rows none of whose ids has turned out to be ours in a minute. All at once, so that a
   * flood of them does not keep those that are ours waiting for their turn.
   */
  async closeUnknown(): Promise<void> {
    await this.run(
      `update payment_service_callback callback
       set state = 'unknown', next_attempt_at = null, updated_at = now()
       where ${WAITING} and received_at <= ? and not exists (
         select 1 from jsonb_array_elements_text(callback.transaction_ids) named(id)
         join payment_service_transaction t on t.transaction_key = named.id and t.deleted_at is null
         offset 0)`,
      [new Date(this.clock.now().getTime() - UNKNOWN_ID_PATIENCE_MS)]
    )
  }

  /** Closed inbox rows are of no use after this long. */
  async forgetOld(): Promise<void> {
    await this.run(
      `delete from payment_service_callback
       where state <> 'waiting' and received_at < ?::timestamptz - (? * interval '1 day')`,
      [this.clock.now(), RETENTION_DAYS]
    )
  }
}
