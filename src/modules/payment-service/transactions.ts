import { generateEntityId, MedusaError } from "@medusajs/framework/utils"

import type { TransactionDetails } from "../../service/client"
import { redact } from "../../service/redact"
import type { Decision } from "../../settlement/decide"
import { type Place, PLACE_ID_OF_ROW, placeId } from "../../settlement/place-id"
import { isClosed } from "../../settlement/transaction-state"
import { nextWatchAt } from "../../settlement/watch-schedule"
import type { Clock } from "./clock"
import type { RunSql } from "./leases"
import { CLOSE_WHAT_AN_ANSWER_ENDS } from "./problems"
import type PaymentServiceModuleService from "./service"
import type { TransactionRow } from "./service"

export const TRANSACTION_SETTLED = "payment_service.transaction_settled"
/** Polls share one read of the service per transaction in this time, across instances. */
const POLL_INTERVAL_MS = 2_000

/** A name that is longer than this is none. */
const LONGEST_STATUS = 200

/** In SQL: a row `t` that the watcher looks at from time to time. Indexes have it in these words. */
export const WATCHED = `t.watch_at is not null
  and (t.settled_at is null or t.exception is not null or t.hinted_at > t.settled_at)
  and t.transaction_id is not null and t.deleted_at is null`
/** In SQL: a row that has settled without anybody having been told. An index has it in these words. */
export const UNTOLD = `told_state <> state and deleted_at is null
  and (settled_at is not null or (state in ('canceled', 'expired') and apply_after is null))`

/** Transactions that are due at a merchant and address that no account leads to. */
export interface NotConfigured extends Place {
  count: number
  oldest: Date
  /** Since when the last of them is due. */
  newestDue: Date
}

/** The generated methods for rows, as far as they are needed. */
type Rows = Pick<PaymentServiceModuleService, "listTransactions" | "updateTransactions">

/**
 * How the rows of transactions change: by statements that hold when several instances settle the same
 * transaction at once, or die in between.
 */
export class Transactions {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock,
    private readonly rows: Rows
  ) {}

  /**
   * The row as it is now.
   *
   * @throws MedusaError `NOT_FOUND`
   */
  async get(id: string): Promise<TransactionRow> {
    const [row] = await this.run<TransactionRow[]>(
      "select * from payment_service_transaction where id = ? and deleted_at is null",
      [id]
    )
    if (!row) {
      throw new MedusaError(MedusaError.Types.NOT_FOUND, `There is no transaction ${id}.`)
    }
    return row
  }

  /**
   * Records a read on a row, unless the row's state or exception changed since it was loaded. What was paid
   * stays written down when a later read speaks of something else. Problems that an answer ends are closed
   * with it.
   *
   * @returns the row as it is now, or null when it changed and the read has to be judged again
   */
  async recordRead(
    before: Pick<TransactionRow, "id" | "state" | "exception">,
    read: Pick<TransactionDetails, "status" | "qr" | "amount" | "currency"> & { askedAt: Date },
    decision: Pick<Decision, "state" | "exception" | "differences" | "late" | "isMoney">
  ): Promise<TransactionRow | null> {
    const isPaid = decision.state === "paid"
    const [recorded] = await this.run<TransactionRow[]>(
      `with clock as (select ?::timestamptz as now),
       recorded as (
       update payment_service_transaction set state = ?, exception = ?, status = ?,
         -- It begins anew with every other sum: a person has seen the one before.
         exception_at = case when exception is distinct from ?
             or (? and (read_amount::numeric <> ?::numeric or lower(read_currency) <> lower(?)))
           then clock.now else exception_at end,
         exception_reason = case when ? then ? when ?::text is null then null else exception_reason end,
         qr = coalesce(?, qr),
         read_amount = case when ? or paid_at is null then ? else read_amount end,
         read_currency = case when ? or paid_at is null then ? else read_currency end,
         read_at = ?, updated_at = now(),
         paid_late = paid_late or (? and paid_at is null),
         paid_at = case when ? then coalesce(paid_at, clock.now) else paid_at end,
         -- Proof is never left to whoever found it: the watcher takes it up if they do not get on.
         -- Nor is what is found on a settled row believed for ever because of one read.
         watch_at = case when (? and paid_at is null) or (settled_at is not null and ?::text is not null)
           then least(coalesce(watch_at, clock.now + interval '5 seconds'), clock.now + interval '5 seconds')
           else watch_at end
       from clock where id = ? and state = ? and exception is not distinct from ?
       returning payment_service_transaction.*),
       answered as (${CLOSE_WHAT_AN_ANSWER_ENDS})
       select * from recorded`,
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
        read.askedAt,
        decision.late,
        isPaid,
        isPaid,
        decision.exception,
        before.id,
        before.state,
        before.exception,
      ]
    )
    return recorded ?? null
  }

  /**
   * Records why Medusa did not follow, how many attempts that makes, and when it may be tried again. What a read
   * has found since this row was judged, a reversal for example, stays.
   */
  async recordRefusal(
    judged: TransactionRow,
    refusal: {
      exception: TransactionRow["exception"]
      reason: string
      attempts: number
      pauseMs: number
    }
  ): Promise<void> {
    const { exception, reason, attempts, pauseMs } = refusal
    const isNoted = "? and exception is not distinct from ?"
    const noted = [exception !== null, judged.exception]
    const now = this.clock.now()
    const after = new Date(now.getTime() + pauseMs)
    await this.run(
      `update payment_service_transaction set updated_at = now(), apply_attempts = ?, apply_after = ?,
         -- Null where nobody watches it any more.
         watch_at = case when watch_at > ? then ? else watch_at end,
         exception_reason = case when ${isNoted} then ? else exception_reason end,
         exception_at = case when ${isNoted} and exception is distinct from ?
           then ?::timestamptz else exception_at end,
         exception = case when ${isNoted} then ? else exception end
       where id = ?`,
      [
        ...[attempts, after, after, after],
        ...[...noted, redact(reason), ...noted, exception, now, ...noted, exception],
        judged.id,
      ]
    )
  }

  /**
   * Nothing is out of order any more, or Medusa has followed: `settled` says how far. What a read has found since
   * this row was judged stays; that a settle waited for the same cart in vain does not.
   */
  async recordProgress(
    judged: TransactionRow,
    settled?: { captured: boolean; orderId: string | undefined }
  ): Promise<void> {
    const captured = settled?.captured ?? false
    const isOver = "? and (exception = ? or exception = 'completion_failed')"
    const over = [!settled || captured, judged.exception]
    await this.run(
      `update payment_service_transaction set updated_at = now(), apply_attempts = 0, apply_after = null,
         exception_reason = case when ${isOver} then null else exception_reason end,
         exception_at = case when ${isOver} then null else exception_at end,
         exception = case when ${isOver} then null else exception end,
         settled_at = case when ? then coalesce(settled_at, ?) else settled_at end,
         order_id = case when ? then coalesce(?, order_id) else order_id end
       where id = ?`,
      [
        ...[...over, ...over, ...over],
        ...[captured, this.clock.now(), captured, settled?.orderId ?? null],
        judged.id,
      ]
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
      `select id from payment_service_transaction where ${UNTOLD} order by opened_at desc limit ?`,
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
   * Takes the transaction of a place that is due longest or (`inTurn`) was not tried for longest, for one
   * worker only: claiming puts its next watch off by a minute, so a worker that dies leaves it due again by
   * itself.
   *
   * @returns null when none is due there
   */
  async claimDue(
    place: Place,
    inTurn = false
  ): Promise<Pick<TransactionRow, "id" | "transaction_id"> | null> {
    const now = this.clock.now()
    const [claimed] = await this.run<Pick<TransactionRow, "id" | "transaction_id">[]>(
      `update payment_service_transaction
       set watch_at = ?::timestamptz + interval '1 minute', tried_at = ?
       where id = (
         select t.id from payment_service_transaction t
         where ${WATCHED} and ${PLACE_ID_OF_ROW} = ? and t.watch_at <= ?
         order by ${inTurn ? "t.tried_at nulls first" : "t.watch_at"}
         limit 1 for update skip locked)
       returning id, transaction_id`,
      [now, now, placeId(place), now]
    )
    return claimed ?? null
  }

  /** What is due at these places, which no account leads to. */
  async findNotConfigured(placeIds: string[]): Promise<NotConfigured[]> {
    return placeIds.length
      ? await this.run<NotConfigured[]>(
          `select lower(t.merchant_id) as "merchantId", t.base_url as "baseUrl",
             count(*)::integer as count, min(t.opened_at) as oldest, max(t.watch_at) as "newestDue"
           from payment_service_transaction t
           where ${WATCHED} and ${PLACE_ID_OF_ROW} in (${placesFor(placeIds)}) and t.watch_at <= ?
             and t.handled_at is null
           group by lower(t.merchant_id), t.base_url`,
          [...placeIds, this.clock.now()]
        )
      : []
  }

  /**
   * Somebody says that something happened to this transaction: the watcher looks at it soon, and as often
   * as at a new one, in case the service's own reads are behind. However often it is said of a transaction
   * that has settled or was taken care of, it is looked at once in five seconds.
   */
  async hint(id: string): Promise<void> {
    await this.hintWhere("id = ?", [id])
  }

  /** The same for all of these ids at the service, in lower case, which the caller reads now: polls leave it to them. */
  async claimNamed(transactionKeys: string[]): Promise<TransactionRow[]> {
    return transactionKeys.length
      ? await this.hintWhere(
          `transaction_key in (${placesFor(transactionKeys)})`,
          transactionKeys,
          ", poll_claimed_at = soon.now"
        )
      : []
  }

  private async hintWhere(
    condition: string,
    parameters: string[],
    andSet = ""
  ): Promise<TransactionRow[]> {
    return await this.run<TransactionRow[]>(
      `with soon as (select ?::timestamptz as now, ?::timestamptz + interval '5 seconds' as at)
       update payment_service_transaction set hinted_at = soon.now,
         -- When it settled, it was due once more, and is not any more.
         watch_at = case when settled_at is not null and exception is null
             and coalesce(hinted_at <= settled_at, true)
           then soon.at else least(coalesce(watch_at, soon.at), soon.at) end
         ${andSet}
       from soon where ${condition} and deleted_at is null
       returning payment_service_transaction.*`,
      [this.clock.now(), this.clock.now(), ...parameters]
    )
  }

  /** Puts a transaction's next watch where its schedule wants it. */
  async planWatch(id: string): Promise<void> {
    const row = await this.get(id)
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
