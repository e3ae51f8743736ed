import { generateEntityId } from "@medusajs/framework/utils"

import type { TransactionDetails } from "../../service/client"
import { redact } from "../../service/redact"
import type { Decision } from "../../settlement/decide"
import type { Place } from "../../settlement/place-id"
import { isClosed } from "../../settlement/transaction-state"
import { nextWatchAt } from "../../settlement/watch-schedule"
import type { Clock } from "./clock"
import type { RunSql } from "./leases"
import type { ResolvedOptions } from "./options"
import type PaymentServiceModuleService from "./service"
import type { TransactionRow } from "./service"

export const TRANSACTION_SETTLED = "payment_service.transaction_settled"
/** Polls share one read of the service per transaction in this time, across instances. */
const POLL_INTERVAL_MS = 2_000

/** A name that is longer than this is none. */
const LONGEST_STATUS = 200

/** Transactions that are due at a merchant and address that no account leads to. */
export interface NotConfigured extends Place {
  count: number
  oldest: Date
  /** Since when the last of them is due. */
  newestDue: Date
}

/** The generated methods for rows, as far as they are needed. */
type Rows = Pick<
  PaymentServiceModuleService,
  "listTransactions" | "retrieveTransaction" | "updateTransactions"
>

/**
 * How the rows of transactions change: by statements that hold when several instances settle the same
 * transaction at once, or die in between.
 */
export class Transactions {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock,
    private readonly options: ResolvedOptions,
    private readonly rows: Rows
  ) {}

  /**
   * Records a read on a row, unless the row's state or exception changed since it was loaded. What was paid
   * stays written down when a later read speaks of something else.
   *
   * @returns the row as it is now, or null when it changed and the read has to be judged again
   */
  async recordRead(
    before: Pick<TransactionRow, "id" | "state" | "exception">,
    read: Pick<TransactionDetails, "status" | "qr" | "amount" | "currency">,
    decision: Pick<Decision, "state" | "exception" | "differences" | "late" | "isMoney">
  ): Promise<TransactionRow | null> {
    const isPaid = decision.state === "paid"
    const recorded = await this.run<unknown[]>(
      `with clock as (select ?::timestamptz as now)
       update payment_service_transaction set state = ?, exception = ?, status = ?,
         -- It begins anew with every other sum: a person has seen the one before.
         exception_at = case when exception is distinct from ?
             or (? and (read_amount::numeric <> ?::numeric or lower(read_currency) <> lower(?)))
           then clock.now else exception_at end,
         exception_reason = case when ? then ? when ?::text is null then null else exception_reason end,
         qr = coalesce(?, qr),
         read_amount = case when ? or paid_at is null then ? else read_amount end,
         read_currency = case when ? or paid_at is null then ? else read_currency end,
         read_at = clock.now, updated_at = now(),
         paid_late = paid_late or (? and paid_at is null),
         paid_at = case when ? then coalesce(paid_at, clock.now) else paid_at end,
         -- Proof is never left to whoever found it: the watcher takes it up if they do not get on.
         -- Nor is what is found on a settled row believed for ever because of one read.
         watch_at = case when (? and paid_at is null) or (settled_at is not null and ?::text is not null)
           then least(coalesce(watch_at, clock.now + interval '5 seconds'), clock.now + interval '5 seconds')
           else watch_at end
       from clock where id = ? and state = ? and exception is not distinct from ?
       returning id`,
      [
        this.clock.now(),
        decision.state,
        decision.exception,
        // Texts of somebody else: a status may be any, and so may a merchant or a reference.
        redact(read.status).slice(0, LONGEST_STATUS),
        decision.exception,
        decision.isMoney,
        read.amount,
        read.currency,
        decision.differences.length > 0,
        redact(decision.differences.join("; ")),
        decision.exception,
        read.qr,
        decision.isMoney,
        read.amount,
        decision.isMoney,
        read.currency,
        decision.late,
        isPaid,
        isPaid,
        decision.exception,
        before.id,
        before.state,
        before.exception,
      ]
    )
    return recorded.length ? await this.rows.retrieveTransaction(before.id) : null
  }

  /**
   * Records why Medusa did not follow, how many attempts that makes, and when it may be tried again. Only the
   * holder of the row's `apply` lease calls this.
   */
  async recordRefusal(
    row: TransactionRow,
    refusal: {
      exception: TransactionRow["exception"]
      reason: string
      attempts: number
      pauseMs: number
    }
  ): Promise<void> {
    if (refusal.exception) {
      await this.replaceException(row, refusal.exception, redact(refusal.reason))
    }
    await this.rows.updateTransactions({
      id: row.id,
      apply_attempts: refusal.attempts,
      apply_after: new Date(this.clock.now().getTime() + refusal.pauseMs),
    })
  }

  /** Nothing is out of order any more, or Medusa has followed: `settled` says how far. */
  async recordProgress(
    row: TransactionRow,
    settled?: { captured: boolean; orderId: string | undefined }
  ): Promise<void> {
    if (row.exception && (!settled || settled.captured)) {
      await this.replaceException(row, null, null)
    }
    await this.rows.updateTransactions({
      id: row.id,
      apply_attempts: 0,
      apply_after: null,
      ...(settled?.captured
        ? {
            settled_at: row.settled_at ?? this.clock.now(),
            ...(settled.orderId ? { order_id: settled.orderId } : {}),
          }
        : {}),
    })
  }

  /** What a read has found since this row was judged, a reversal for example, stays. */
  private async replaceException(
    judged: TransactionRow,
    exception: TransactionRow["exception"],
    reason: string | null
  ): Promise<void> {
    await this.run(
      `update payment_service_transaction set exception = ?, exception_reason = ?, updated_at = now(),
         exception_at = case when ?::text is null then null
           when exception is not distinct from ? then exception_at else ?::timestamptz end
       where id = ? and exception is not distinct from ?`,
      [exception, reason, exception, exception, this.clock.now(), judged.id, judged.exception]
    )
  }

  /**
   * Writes the event that a transaction has settled in another state than the last time. A payment settles
   * when Medusa holds it, a cancellation when Medusa has closed its session.
   */
  async tellSettled(row: TransactionRow): Promise<void> {
    const hasFollowed =
      row.state === "paid" ? row.settled_at !== null : isClosed(row.state) && !row.apply_after
    if (hasFollowed) {
      await this.tell(row)
    }
  }

  /** The same for a transaction that has settled whatever becomes of its order. */
  async tell(row: TransactionRow): Promise<void> {
    if (row.told_state === row.state) {
      return
    }
    const id = generateEntityId("", "psevt")
    await this.run(
      `with told as (
         update payment_service_transaction set told_state = state
         where id = ? and state = ? and told_state = ? returning *)
       insert into payment_service_event (id, name, data, written_at, send_at)
       select ?, ?, jsonb_build_object('id', ?::text, 'transaction_row_id', id,
         'transaction_id', transaction_id, 'session_id', session_id, 'cart_id', cart_id,
         'order_id', order_id, 'old_state', ?::text, 'new_state', state,
         'amount', coalesce(accepted_amount, amount), 'currency', currency, 'late', paid_late),
         ?, ? from told`,
      [
        row.id,
        row.state,
        row.told_state,
        id,
        TRANSACTION_SETTLED,
        id,
        row.told_state,
        this.clock.now(),
        this.clock.now(),
      ]
    )
  }

  /** Rows that have settled without anybody having been told: what a killed process left behind. */
  async findUntold(limit: number): Promise<TransactionRow[]> {
    const rows = await this.run<{ id: string }[]>(
      `select id from payment_service_transaction
       where told_state <> state and deleted_at is null
         and (settled_at is not null or (state in ('canceled', 'expired') and apply_after is null))
       order by opened_at desc limit ?`,
      [limit]
    )
    return rows.length
      ? await this.rows.listTransactions({ id: rows.map(({ id }) => id) }, { take: null })
      : []
  }

  /** Medusa deletes the session of this row; a row that moved on to another session stays as it is. */
  async detach(rowId: string, sessionId: string): Promise<void> {
    await this.rows.updateTransactions({
      selector: { id: rowId, session_id: sessionId },
      data: { detached_at: this.clock.now() },
    })
  }

  /** Core asked for a refund and was refused, because nothing proves that the money went back. */
  async askRefund(id: string, amount: string): Promise<void> {
    await this.run(
      `update payment_service_transaction set refunds_asked = coalesce(refunds_asked, '[]'::jsonb)
         || jsonb_build_array(jsonb_build_object('amount', ?::text, 'at', ?::text)), updated_at = now()
       where id = ?`,
      [amount, this.clock.now().toISOString(), id]
    )
  }

  /** Core was told that the order may be placed before the money comes. */
  async markDeferred(id: string): Promise<void> {
    await this.run(
      "update payment_service_transaction set deferred_at = coalesce(deferred_at, ?) where id = ?",
      [this.clock.now(), id]
    )
  }

  /** Has core asked us about the order of this collection, or told of it? It has done all before that then. */
  async isOrderKnown(paymentCollectionId: string): Promise<boolean> {
    const known = await this.rows.listTransactions(
      {
        payment_collection_id: paymentCollectionId,
        $or: [{ deferred_at: { $ne: null } }, { order_id: { $ne: null } }],
      },
      { select: ["id"], take: 1 }
    )
    return known.length > 0
  }

  /**
   * Was an order placed on the promise of a payment in these collections, and can any but this one still be
   * paid? A creation without a reply counts as payable for as long as one usually is; money that a person
   * took care of pays for nothing.
   */
  async promisesIn(
    collectionIds: string[],
    rowId: string
  ): Promise<{ isDeferred: boolean; isPayable: boolean }> {
    const [found] = await this.run<Partial<Record<"isDeferred" | "isPayable", boolean | null>>[]>(
      `select bool_or(deferred_at is not null) as "isDeferred",
         bool_or(id <> ? and handled_at is null
           and (state in ('pending', 'paid') or (state in ('creating', 'unknown')
             and opened_at > ?::timestamptz - interval '1 hour'))) as "isPayable"
       from payment_service_transaction
       where payment_collection_id in (${placesFor(collectionIds)}) and deleted_at is null`,
      [rowId, this.clock.now(), ...collectionIds]
    )
    return { isDeferred: found?.isDeferred ?? false, isPayable: found?.isPayable ?? false }
  }

  /**
   * Transactions on whose promise an order was placed, that did not pay for it and are watched no more, in
   * collections where none is: nobody looks at these orders any more by themselves.
   */
  async findForgottenPromises(openedSince: Date): Promise<TransactionRow[]> {
    const rows = await this.run<{ id: string }[]>(
      `select id from payment_service_transaction promise
       where deferred_at is not null and opened_at > ?::timestamptz and deleted_at is null
         and settled_at is null and watch_at is null
         -- Paid, and nobody took care of it: that is a problem of its own.
         and (state <> 'paid' or handled_at is not null)
         and not exists (select 1 from payment_service_transaction other
           where other.payment_collection_id = promise.payment_collection_id
             and other.watch_at is not null and other.deleted_at is null)`,
      [openedSince]
    )
    return rows.length
      ? await this.rows.listTransactions({ id: rows.map(({ id }) => id) }, { take: null })
      : []
  }

  /** Which of our providers opened transactions in these collections. */
  async providersIn(collectionIds: string[]): Promise<string[]> {
    const rows = await this.run<{ provider_id: string }[]>(
      `select distinct provider_id from payment_service_transaction
       where payment_collection_id in (${placesFor(collectionIds)}) and deleted_at is null`,
      collectionIds
    )
    return rows.map(({ provider_id }) => provider_id)
  }

  /**
   * For a poll: may this call read the service now? At most one caller in two seconds may, on all
   * instances together.
   */
  async claimPoll(rowId: string): Promise<boolean> {
    const claimed = await this.run<unknown[]>(
      `with clock as (select ?::timestamptz as now)
       update payment_service_transaction set poll_claimed_at = clock.now
       from clock where id = ?
         and (poll_claimed_at is null
           or poll_claimed_at < clock.now - (? * interval '1 millisecond'))
         and (apply_after is null or apply_after <= clock.now)
       returning id`,
      [this.clock.now(), rowId, POLL_INTERVAL_MS]
    )
    return claimed.length > 0
  }

  /**
   * Takes transactions that are due to be watched, those first that are due longest or (`inTurn`) that were
   * not tried for longest, each for one worker only: claiming puts its next watch off by a minute, so a
   * worker that dies leaves the row due again by itself. Rows of an address or merchant that is no longer
   * configured are left alone.
   */
  async claimDue(limit: number, inTurn = false): Promise<TransactionRow[]> {
    const now = this.clock.now()
    const places = this.configuredPlaces()
    const claimed = await this.run<{ id: string }[]>(
      `update payment_service_transaction
       set watch_at = ?::timestamptz + interval '1 minute', tried_at = ?
       where id in (
         select id from payment_service_transaction
         where watch_at <= ?
           and (settled_at is null or exception is not null or hinted_at > settled_at)
           and transaction_id is not null and deleted_at is null
           and (base_url, lower(merchant_id)) in (${places.map(() => "(?, ?)").join(", ")})
         order by ${inTurn ? "tried_at nulls first, random()" : "watch_at"}
         limit ? for update skip locked)
       returning id`,
      [now, now, now, ...places.flat(), limit]
    )
    return claimed.length
      ? await this.rows.listTransactions(
          { id: claimed.map(({ id }) => id) },
          { take: null, order: { opened_at: "ASC" } }
        )
      : []
  }

  /** What `claimDue` leaves alone although it is due, by merchant and address. */
  async findNotConfigured(): Promise<NotConfigured[]> {
    const places = this.configuredPlaces()
    return await this.run<NotConfigured[]>(
      `select lower(merchant_id) as "merchantId", base_url as "baseUrl", count(*)::integer as count,
         min(opened_at) as oldest, max(watch_at) as "newestDue"
       from payment_service_transaction
       where watch_at <= ? and (settled_at is null or exception is not null) and handled_at is null
         and transaction_id is not null and deleted_at is null
         and (base_url, lower(merchant_id)) not in (${places.map(() => "(?, ?)").join(", ")})
       group by lower(merchant_id), base_url`,
      [this.clock.now(), ...places.flat()]
    )
  }

  private configuredPlaces(): [string, string][] {
    return this.options.all().map(({ baseUrl, merchantId }) => [baseUrl, merchantId.toLowerCase()])
  }

  /**
   * Somebody says that something happened to this transaction: the watcher looks at it soon, and as often
   * as at a new one, in case the service's own reads are behind. However often it is said of a transaction
   * that has settled or was taken care of, it is looked at once in five seconds.
   */
  async hint(id: string): Promise<void> {
    await this.run(
      `with soon as (select ?::timestamptz as now, ?::timestamptz + interval '5 seconds' as at)
       update payment_service_transaction set hinted_at = soon.now,
         -- When it settled, it was due once more, and is not any more.
         watch_at = case when settled_at is not null and exception is null
             and coalesce(hinted_at <= settled_at, true)
           then soon.at else least(coalesce(watch_at, soon.at), soon.at) end
       from soon where id = ?`,
      [this.clock.now(), this.clock.now(), id]
    )
  }

  /** Puts a transaction's next watch where its schedule wants it. */
  async planWatch(id: string): Promise<void> {
    const row = await this.rows.retrieveTransaction(id)
    // Unless somebody has put it elsewhere since: with a proof of payment, or a hint.
    await this.run(
      "update payment_service_transaction set watch_at = ? where id = ? and watch_at is not distinct from ?",
      [nextWatchAt(row, this.clock.now()), id, row.watch_at]
    )
  }
}

function placesFor(values: string[]): string {
  return values.map(() => "?").join(", ")
}
