import { generateEntityId, MedusaError } from "@medusajs/framework/utils"

import type { TransactionDetails } from "../../service/client"
import { redact } from "../../service/redact"
import type { Decision } from "../../settlement/decide"
import { type Place, placeId } from "../../settlement/place-id"
import { hasMedusaFollowed } from "../../settlement/standing"
import { nextWatchAt } from "../../settlement/watch-schedule"
import type { Clock } from "./clock"
import { CLOSE_WHAT_AN_ANSWER_ENDS } from "./problems"
import { PLACE_ID_OF_ROW, UNTOLD, WATCHED } from "./rules-in-sql"
import { assignments, empty, join, type RunSql, sql, Sql } from "./sql"
import type { TransactionRow } from "./tables"

export const TRANSACTION_SETTLED = "payment_service.transaction_settled"
/** Polls share one read of the service per transaction in this time, across instances. */
const POLL_INTERVAL_MS = 2_000

/** A name that is longer than this is none. */
const LONGEST_STATUS = 200

/** What a new session, or a person's acceptance, changes in a row. */
type Changes = Partial<
  Pick<
    TransactionRow,
    | "session_id"
    | "payment_collection_id"
    | "cart_id"
    | "order_id"
    | "accepted_amount"
    | "accepted_cart_total"
    | "apply_attempts"
    | "apply_after"
    | "watch_at"
  >
>

/** Transactions that are due at a merchant and address that no account leads to. */
export interface NotConfigured extends Place {
  count: number
  oldest: Date
  /** Since when the last of them is due. */
  newestDue: Date
}

/**
 * How the rows of transactions change: by statements that hold when several instances settle the same
 * transaction at once, or die in between.
 */
export class Transactions {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /**
   * The row as it is now.
   *
   * @throws MedusaError `NOT_FOUND`
   */
  async get(id: string): Promise<TransactionRow> {
    const [row] = await this.run<TransactionRow[]>(
      sql`select * from payment_service_transaction where id = ${id} and deleted_at is null`
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
    const { state, exception, differences, isMoney } = decision
    const isPaid = state === "paid"
    // Texts of somebody else: a status may be any, and so may a merchant or a reference.
    const status = redact(read.status).slice(0, LONGEST_STATUS)
    const reason = redact(differences.join("; "))
    const [recorded] = await this.run<TransactionRow[]>(
      sql`with clock as (select ${this.clock.now()}::timestamptz as now),
       recorded as (
       update payment_service_transaction set state = ${state}, exception = ${exception}, status = ${status},
         -- It begins anew with every other sum: a person has seen the one before.
         exception_at = case when exception is distinct from ${exception}
             or (${isMoney} and (read_amount::numeric <> ${read.amount}::numeric
               or lower(read_currency) <> lower(${read.currency})))
           then clock.now else exception_at end,
         exception_reason = case when ${differences.length > 0} then ${reason}
           when ${exception}::text is null then null else exception_reason end,
         qr = coalesce(${read.qr}, qr),
         read_amount = case when ${isMoney} or paid_at is null then ${read.amount} else read_amount end,
         read_currency = case when ${isMoney} or paid_at is null then ${read.currency} else read_currency end,
         read_at = ${read.askedAt}, updated_at = now(),
         paid_late = paid_late or (${decision.late} and paid_at is null),
         paid_at = case when ${isPaid} then coalesce(paid_at, clock.now) else paid_at end,
         -- Proof is never left to whoever found it: the watcher takes it up if they do not get on.
         -- Nor is what is found on a settled row believed for ever because of one read.
         watch_at = case when (${isPaid} and paid_at is null)
             or (settled_at is not null and ${exception}::text is not null)
           then least(coalesce(watch_at, clock.now + interval '5 seconds'), clock.now + interval '5 seconds')
           else watch_at end
       from clock
       where id = ${before.id} and state = ${before.state} and exception is not distinct from ${before.exception}
       returning payment_service_transaction.*),
       answered as (${CLOSE_WHAT_AN_ANSWER_ENDS})
       select * from recorded`
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
    // Another settle may have brought it about meanwhile: then nothing has failed.
    const isNoted = sql`${exception !== null} and exception is not distinct from ${judged.exception}
      and (settled_at is null or ${exception}::text <> 'completion_failed')`
    const now = this.clock.now()
    const after = new Date(now.getTime() + pauseMs)
    await this.run(
      sql`update payment_service_transaction set updated_at = now(), apply_attempts = ${attempts},
         apply_after = ${after},
         -- Null where nobody watches it any more.
         watch_at = case when watch_at > ${after} then ${after} else watch_at end,
         exception_reason = case when ${isNoted} then ${redact(reason)} else exception_reason end,
         exception_at = case when ${isNoted} and exception is distinct from ${exception}
           then ${now}::timestamptz else exception_at end,
         exception = case when ${isNoted} then ${exception} else exception end
       where id = ${judged.id}`
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
    const isOver = sql`${!settled || captured}
      and (exception = ${judged.exception} or exception = 'completion_failed')`
    await this.run(
      sql`update payment_service_transaction set updated_at = now(), apply_attempts = 0, apply_after = null,
         exception_reason = case when ${isOver} then null else exception_reason end,
         exception_at = case when ${isOver} then null else exception_at end,
         exception = case when ${isOver} then null else exception end,
         settled_at = case when ${captured} then coalesce(settled_at, ${this.clock.now()}) else settled_at end,
         order_id = case when ${captured} then coalesce(${settled?.orderId ?? null}, order_id) else order_id end
       where id = ${judged.id}`
    )
  }

  /**
   * Writes the event that a transaction has settled in another state than the last time. A payment settles
   * when Medusa holds it, a cancellation when Medusa has closed its session.
   */
  async tellSettled(row: TransactionRow): Promise<void> {
    if (hasMedusaFollowed(row)) {
      await this.tell(row)
    }
  }

  /** The same for a transaction that has settled whatever becomes of its order. */
  async tell(row: TransactionRow): Promise<void> {
    if (row.told_state === row.state) {
      return
    }
    const id = generateEntityId("", "psevt")
    const now = this.clock.now()
    await this.run(
      sql`with told as (
         update payment_service_transaction set told_state = state
         where id = ${row.id} and state = ${row.state} and told_state = ${row.told_state} returning *)
       insert into payment_service_event (id, name, data, written_at, send_at)
       select ${id}, ${TRANSACTION_SETTLED}, jsonb_build_object('id', ${id}::text, 'transaction_row_id', id,
         'transaction_id', transaction_id, 'session_id', session_id, 'cart_id', cart_id,
         'order_id', order_id, 'old_state', ${row.told_state}::text, 'new_state', state,
         'amount', coalesce(accepted_amount, amount), 'currency', currency, 'late', paid_late),
         ${now}, ${now} from told`
    )
  }

  /** Rows that have settled without anybody having been told: what a killed process left behind. */
  async findUntold(limit: number): Promise<TransactionRow[]> {
    return await this.run(
      sql`select * from payment_service_transaction where ${UNTOLD} order by opened_at desc limit ${limit}`
    )
  }

  /** @returns the row as it is then */
  async change(id: string, changes: Changes): Promise<TransactionRow> {
    const [row] = await this.run<[TransactionRow]>(
      sql`update payment_service_transaction set ${assignments(changes)}, updated_at = now()
       where id = ${id} returning *`
    )
    return row
  }

  /** Core asked for a refund and was refused, because nothing proves that the money went back. */
  async askRefund(id: string, amount: string): Promise<void> {
    await this.run(
      sql`update payment_service_transaction set refunds_asked = coalesce(refunds_asked, '[]'::jsonb)
         || jsonb_build_array(jsonb_build_object('amount', ${amount}::text,
           'at', ${this.clock.now().toISOString()}::text)), updated_at = now()
       where id = ${id}`
    )
  }

  /** Core was told that the order may be placed before the money comes. */
  async markDeferred(id: string): Promise<void> {
    await this.run(
      sql`update payment_service_transaction set deferred_at = coalesce(deferred_at, ${this.clock.now()})
       where id = ${id}`
    )
  }

  /** Has core asked us about the order of this collection, or told of it? It has done all before that then. */
  async isOrderKnown(paymentCollectionId: string): Promise<boolean> {
    const known = await this.run<unknown[]>(
      sql`select 1 from payment_service_transaction
       where payment_collection_id = ${paymentCollectionId}
         and (deferred_at is not null or order_id is not null) and deleted_at is null limit 1`
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
      sql`select bool_or(deferred_at is not null) as "isDeferred",
         bool_or(id <> ${rowId} and handled_at is null
           and (state in ('pending', 'paid') or (state in ('creating', 'unknown')
             and opened_at > ${this.clock.now()}::timestamptz - interval '1 hour'))) as "isPayable"
       from payment_service_transaction
       where payment_collection_id in (${join(collectionIds)}) and deleted_at is null`
    )
    return { isDeferred: found?.isDeferred ?? false, isPayable: found?.isPayable ?? false }
  }

  /**
   * Transactions on whose promise an order was placed, that did not pay for it and are watched no more, in
   * collections where none is: nobody looks at these orders any more by themselves.
   */
  async findForgottenPromises(openedSince: Date): Promise<TransactionRow[]> {
    return await this.run(
      sql`select * from payment_service_transaction promise
       where deferred_at is not null and opened_at > ${openedSince}::timestamptz and deleted_at is null
         and settled_at is null and watch_at is null
         -- Paid, and nobody took care of it: that is a problem of its own.
         and (state <> 'paid' or handled_at is not null)
         and not exists (select 1 from payment_service_transaction other
           where other.payment_collection_id = promise.payment_collection_id
             and other.watch_at is not null and other.deleted_at is null)`
    )
  }

  /** Which of our providers opened transactions in these collections. */
  async providersIn(collectionIds: string[]): Promise<string[]> {
    const rows = await this.run<{ provider_id: string }[]>(
      sql`select distinct provider_id from payment_service_transaction
       where payment_collection_id in (${join(collectionIds)}) and deleted_at is null`
    )
    return rows.map(({ provider_id }) => provider_id)
  }

  /**
   * For a poll: may this call read the service now? At most one caller in two seconds may, on all
   * instances together.
   */
  async claimPoll(rowId: string): Promise<boolean> {
    const claimed = await this.run<unknown[]>(
      sql`with clock as (select ${this.clock.now()}::timestamptz as now)
       update payment_service_transaction set poll_claimed_at = clock.now
       from clock where id = ${rowId}
         and (poll_claimed_at is null
           or poll_claimed_at < clock.now - (${POLL_INTERVAL_MS} * interval '1 millisecond'))
         and (apply_after is null or apply_after <= clock.now)
       returning id`
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
      sql`update payment_service_transaction
       set watch_at = ${now}::timestamptz + interval '1 minute', tried_at = ${now}
       where id = (
         select t.id from payment_service_transaction t
         where ${WATCHED} and ${PLACE_ID_OF_ROW} = ${placeId(place)} and t.watch_at <= ${now}
         order by ${inTurn ? sql`t.tried_at nulls first` : sql`t.watch_at`}
         limit 1 for update skip locked)
       returning id, transaction_id`
    )
    return claimed ?? null
  }

  /** What is due at these places, which no account leads to. */
  async findNotConfigured(placeIds: string[]): Promise<NotConfigured[]> {
    return placeIds.length
      ? await this.run<NotConfigured[]>(
          sql`select lower(t.merchant_id) as "merchantId", t.base_url as "baseUrl",
             count(*)::integer as count, min(t.opened_at) as oldest, max(t.watch_at) as "newestDue"
           from payment_service_transaction t
           where ${WATCHED} and ${PLACE_ID_OF_ROW} in (${join(placeIds)}) and t.watch_at <= ${this.clock.now()}
             and t.handled_at is null
           group by lower(t.merchant_id), t.base_url`
        )
      : []
  }

  /**
   * Somebody says that something happened to this transaction: the watcher looks at it soon, and as often
   * as at a new one, in case the service's own reads are behind. However often it is said of a transaction
   * that has settled or was taken care of, it is looked at once in five seconds.
   */
  async hint(id: string): Promise<void> {
    await this.hintWhere(sql`id = ${id}`)
  }

  /** The same for all of these ids at the service, in lower case, which the caller reads now: polls leave it to them. */
  async claimNamed(transactionKeys: string[]): Promise<TransactionRow[]> {
    return transactionKeys.length
      ? await this.hintWhere(
          sql`transaction_key in (${join(transactionKeys)})`,
          sql`, poll_claimed_at = soon.now`
        )
      : []
  }

  private async hintWhere(condition: Sql, andSet = empty): Promise<TransactionRow[]> {
    const now = this.clock.now()
    return await this.run(
      sql`with soon as (select ${now}::timestamptz as now, ${now}::timestamptz + interval '5 seconds' as at)
       update payment_service_transaction set hinted_at = soon.now,
         -- When it settled, it was due once more, and is not any more.
         watch_at = case when settled_at is not null and exception is null
             and coalesce(hinted_at <= settled_at, true)
           then soon.at else least(coalesce(watch_at, soon.at), soon.at) end
         ${andSet}
       from soon where ${condition} and deleted_at is null
       returning payment_service_transaction.*`
    )
  }

  /** Puts a transaction's next watch where its schedule wants it. */
  async planWatch(id: string): Promise<void> {
    const row = await this.get(id)
    // Unless somebody has put it elsewhere since: with a proof of payment, or a hint.
    await this.run(
      sql`update payment_service_transaction set watch_at = ${nextWatchAt(row, this.clock.now())}
       where id = ${id} and watch_at is not distinct from ${row.watch_at}`
    )
  }
}
