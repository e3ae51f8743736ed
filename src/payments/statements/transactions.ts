import { randomUUID } from "node:crypto"

import { generateEntityId } from "@medusajs/framework/utils"

import { isAmong } from "../../database/list-query"
import { writingEvent } from "../../database/outbox"
import { assignments, columnsAndValues, empty, jsonb, sql, Statements } from "../../database/sql"
import type { Sql } from "../../database/sql"
import type { TransactionRow } from "../../modules/payment-service/tables"
import { causeOfFailedOpenings } from "../../problems/rules/problems"
import type { Reason, Refusal } from "../../problems/rules/reasons"
import { CLOSE_ENDED_BY_ANSWER, closingWhere } from "../../problems/statements/problems-in-sql"
import { notFound, refused } from "../../refusals/refused"
import type { CreatedTransaction, TransactionDetails } from "../../service/client"
import { redact, redactFacts } from "../../service/redact"
import type { WireAmount } from "../../values/amount"
import type { Decision } from "../rules/decide"
import { CREATION_UNDER_WAY_MS, OLD_COMPLETION_MS } from "../rules/timing"
import { merchantAccountId, merchantAccountOf } from "../rules/transaction"
import type { Figures, Merchant } from "../rules/transaction"
import * as rules from "./rules-in-sql"

/** The watcher's first look at a new transaction comes after this pause, because nobody pays faster. */
const FIRST_WATCH_MS = 5_000
/** A callback can overtake the reply to a creation by this much. */
const OVERTAKING_MS = 60_000

/** The columns that are known before the service is asked for the transaction. */
type NewTransaction = { amount: WireAmount } & Pick<TransactionRow, "currency" | "description"> &
  Pick<TransactionRow, "account" | "base_url" | "merchant_id" | "method"> &
  Pick<TransactionRow, "session_id" | "payment_collection_id"> &
  Pick<TransactionRow, "cart_id" | "order_id" | "customer_id" | "payer_id">

/** An order, through any of its payment collections, or the one payment collection. */
export type PaymentTarget = { orderId: string | null; collectionId: string }

/** Writes the rows of new transactions, and the service's replies to their creation. */
export class Openings extends Statements {
  /** The transactions that count before another is opened, newest first: paid ones that wait for somebody, the latest payable. */
  async findOthers(
    { orderId, collectionId }: PaymentTarget,
    most: number
  ): Promise<{ paid: TransactionRow | null; watched: TransactionRow[] }> {
    // Whether an order keeps money that the service has taken back and confirmed again is a person's decision.
    const isPaid = sql`paid_at is not null and handled_at is null
      ${orderId ? sql`and (settled_at is null or exception = 'changed_since_handled')` : empty}`
    const collections = orderId
      ? sql`select payment_collection_id from order_payment_collection
          where order_id = ${orderId} and deleted_at is null`
      : sql`${collectionId}`
    const found = await this.run<(TransactionRow & { is_paid: boolean })[]>`
      select *, coalesce(${isPaid}, false) as is_paid from payment_service_transaction t
      where payment_collection_id in (${collections}) and deleted_at is null
        and ((${isPaid}) or (state in ('pending', 'canceled', 'expired') and watch_at is not null))
      order by is_paid desc, opened_at desc limit ${most}`
    return {
      paid: found.find(({ is_paid }) => is_paid) ?? null,
      watched: found.filter(({ is_paid }) => !is_paid),
    }
  }

  /** Counts the payments of a collection of the last ten minutes, without those that could not be opened. */
  async countRecent(collectionId: string): Promise<number> {
    const [{ count }] = await this.run<[{ count: number }]>`
      select count(*)::int as count from payment_service_transaction
      where payment_collection_id = ${collectionId} and state not in ('refused', 'unknown')
        and opened_at > ${this.clock.now()}::timestamptz - interval '10 minutes' and deleted_at is null`
    return count
  }

  /** Writes a row before the service is asked, so that every transaction there has one. */
  async recordAsked(transaction: NewTransaction): Promise<TransactionRow> {
    const id = generateEntityId("", "pstx")
    const columns = { id, ...transaction, opened_at: this.clock.now() }
    const [row] = await this.run<[TransactionRow]>`
      insert into payment_service_transaction ${columnsAndValues(columns)} returning *`
    return row
  }

  /**
   * Records the service's reply to the creation, and makes the transaction watched: at once if a callback has already named its id. A
   * row that has an id by now stays as it is. The same statement closes the problem of payments that cannot be opened with this method.
   */
  async recordCreated(asked: TransactionRow, created: CreatedTransaction): Promise<TransactionRow> {
    const at = this.clock.now()
    const now = at.getTime()
    const { transactionId, expiresInSeconds, usdtRate } = created
    const answered = {
      state: "pending",
      status: created.status,
      transaction_id: transactionId,
      redirect: created.redirect,
      // No time left is no end, as in `endAfter`.
      expires_at: expiresInSeconds ? new Date(now + expiresInSeconds * 1000) : null,
    } satisfies Partial<TransactionRow>
    const figures: Figures = usdtRate === null ? {} : { usdt_rate: String(usdtRate) }
    const [row] = await this.run<TransactionRow[]>`
      with early as (select max(received_at) as received_at from payment_service_callback
          where received_at > ${new Date(now - OVERTAKING_MS)} and deleted_at is null
            and transaction_ids @> ${jsonb([transactionId.toLowerCase()])}),
      closed as (${closingWhere(sql`p.cause = ${causeOfFailedOpenings(merchantAccountOf(asked), asked.method)}`, at)})
      update payment_service_transaction set ${assignments(answered)}, figures = ${jsonb(figures)},
        updated_at = now(),
        hinted_at = (select received_at from early),
        watch_at = coalesce((select received_at from early), ${new Date(now + FIRST_WATCH_MS)})
      where id = ${asked.id} and transaction_id is null returning *`
    if (row) return row
    const [known] = await this.run<[TransactionRow]>`
      select * from payment_service_transaction where id = ${asked.id}`
    return known
  }

  /** Marks creations as unknown whose process ended before it had a reply. */
  async giveUpUnanswered(): Promise<void> {
    const before = new Date(this.clock.now().getTime() - CREATION_UNDER_WAY_MS)
    await this.run`update payment_service_transaction set state = 'unknown', updated_at = now()
      where state = 'creating' and opened_at < ${before} and deleted_at is null`
  }

  /** @param reason null when the service is not the reason */
  async recordFailed(rowId: string, state: "refused" | "unknown", reason: Refusal | null) {
    await this.run`update payment_service_transaction set state = ${state}, updated_at = now(),
        exception_reasons = ${reason && jsonb(redactFacts([reason]))}
      where id = ${rowId} and transaction_id is null`
  }

  /** Counts the failed creations of a week since one of this account and method succeeded. Refused credentials do not count. */
  async failuresInARow(merchant: Merchant, method: string) {
    const isOfMethod = sql`${rules.MERCHANT_ACCOUNT_OF_ROW} = ${merchantAccountId(merchant)} and t.method = ${method}
      and t.deleted_at is null`
    const [found] = await this.run<[{ failures: number; since: Date | null }]>`
      select count(*)::int as failures, min(t.opened_at) as since
       from payment_service_transaction t
       where ${isOfMethod} and t.state in ('refused', 'unknown')
         and t.exception_reasons -> 0 ->> 'code' <> 'unauthorized'
         and t.opened_at > ${this.clock.now()}::timestamptz - interval '1 week'
         and t.opened_at > coalesce((select t.opened_at from payment_service_transaction t
           where ${isOfMethod} and t.redirect is not null order by t.opened_at desc limit 1), '-infinity')`
    return found
  }

  /** Gives a row the id from the lost reply to its creation and makes it due; false when it has an id, or another row has this one. */
  async bind(rowId: string, transactionId: string, status: string): Promise<boolean> {
    const key = transactionId.toLowerCase()
    const bound = await this.run<unknown[]>`
      update payment_service_transaction set transaction_id = ${transactionId}, state = 'pending', status = ${status}, watch_at = ${this.clock.now()},
        updated_at = now()
      where id = ${rowId} and transaction_id is null and state in ('creating', 'unknown', 'refused')
        and not exists (
          select 1 from payment_service_transaction where lower(transaction_id) = ${key} and deleted_at is null)
      returning id`
    if (bound.length) return true
    const known = await this.run<unknown[]>`
      select 1 from payment_service_transaction where id = ${rowId} and lower(transaction_id) = ${key}`
    return known.length > 0
  }
}

const LONGEST_STATUS = 200

/** The columns that a new session, or a person's acceptance of a payment, changes. */
type Changes = Partial<
  Pick<TransactionRow, "session_id" | "payment_collection_id" | "cart_id" | "order_id"> &
    Pick<TransactionRow, "accepted" | "apply_attempts" | "apply_after" | "watch_at">
>

/** The parts of the service's answer that a row keeps, and the time when it was asked for. */
type ReadToRecord = { askedAt: Date } & Pick<
  TransactionDetails,
  "status" | "qr" | "amount" | "currency" | "commission" | "commissionUsdt" | "amountUsdt"
>

/** Changes rows by statements that stay correct when several instances settle one transaction at once, or die in between. */
export class Transactions extends Statements {
  async get(id: string): Promise<TransactionRow> {
    const row = await this.find(id)
    if (!row) throw notFound("no_transaction", id)
    return row
  }

  async find(id: string): Promise<TransactionRow | null> {
    const [row] = await this.run<TransactionRow[]>`
      select * from payment_service_transaction where id = ${id} and deleted_at is null`
    return row ?? null
  }

  async findAll(ids: string[]): Promise<Map<string, TransactionRow>> {
    const rows = await this.run<TransactionRow[]>`
      select * from payment_service_transaction where ${isAmong("id", ids)} and deleted_at is null`
    return new Map(rows.map((row) => [row.id, row]))
  }

  /**
   * Records a read on a row, and closes problems that an answer ends. Once paid, only reads that say paid change the sum. It returns
   * null and records nothing when the row was changed since it was loaded, so that the read has to be judged again.
   */
  async recordRead(
    before: Pick<TransactionRow, "id" | "state" | "exception" | "handled_at" | "expires_at">,
    read: ReadToRecord,
    decision: Pick<Decision, "state" | "exception" | "differences" | "late" | "isMoney">
  ): Promise<TransactionRow | null> {
    const { state, exception, differences, isMoney } = decision
    const isPaid = state === "paid"
    // The service may send any text as a status, a merchant or a reference.
    const status = redact(read.status).slice(0, LONGEST_STATUS)
    const { amountUsdt, commission, commissionUsdt } = read
    const figures = { amount_usdt: amountUsdt, commission, commission_usdt: commissionUsdt }
    const [recorded] = await this.run<TransactionRow[]>`
      with clock as (select ${this.clock.now()}::timestamptz as now),
      recorded as (
      update payment_service_transaction set state = ${state}, exception = ${exception}, status = ${status},
        -- The exception begins anew when the sum changes, because the person has seen only the earlier sum.
        exception_at = case when exception is distinct from ${exception}
            or (${isMoney} and (${rules.toKopeck("read_amount")} <> ${rules.toKopeck(sql`${read.amount}`)}
              or lower(read_currency) <> lower(${read.currency})))
          then clock.now else exception_at end,
        exception_reasons = case when ${differences.length > 0} then ${inJson(differences)}
          when ${exception}::text is null then null else exception_reasons end,
        qr = coalesce(${read.qr}, qr), figures = coalesce(figures, '{}') || jsonb_strip_nulls(${jsonb(figures)}),
        read_amount = case when ${isMoney} or paid_at is null then ${read.amount} else read_amount end,
        read_currency = case when ${isMoney} or paid_at is null then ${read.currency} else read_currency end,
        expires_at = ${before.expires_at}, read_at = ${read.askedAt}, updated_at = now(),
        paid_late = paid_late or (${decision.late} and paid_at is null),
        paid_at = case when ${isPaid} then coalesce(paid_at, clock.now) else paid_at end,
        -- A new proof makes the row due, so that the watcher goes on if this process dies.
        -- So does an exception on a settled row, so that a single read is not believed for ever.
        watch_at = case when (${isPaid} and paid_at is null)
            or (settled_at is not null and ${exception}::text is not null)
          then least(coalesce(watch_at, clock.now + interval '5 seconds'), clock.now + interval '5 seconds')
          else watch_at end
      from clock
      where id = ${before.id} and state = ${before.state} and exception is not distinct from ${before.exception}
        and (handled_at is null) = ${before.handled_at === null}
      returning payment_service_transaction.*),
      answered as (${CLOSE_ENDED_BY_ANSWER})
      select * from recorded`
    return recorded ?? null
  }

  /** Records why Medusa has not followed. An exception that a read has found since this row was judged, a reversal for example, stays. */
  async recordRefusal(
    judged: TransactionRow,
    refusal: Pick<Decision, "exception"> & { reasons: Reason[]; attempts: number; pauseMs: number }
  ): Promise<TransactionRow> {
    const { exception, reasons, attempts, pauseMs } = refusal
    // Another settle may have succeeded meanwhile, and then nothing has failed.
    const isNoted = sql`${exception !== null} and exception is not distinct from ${judged.exception}
      and (settled_at is null or ${exception}::text <> 'completion_failed')`
    const now = this.clock.now()
    const after = new Date(now.getTime() + pauseMs)
    const [row] = await this.run<[TransactionRow]>`
      update payment_service_transaction set updated_at = now(), apply_attempts = ${attempts},
        apply_after = ${after},
        -- A row that is not watched any more keeps null.
        watch_at = case when watch_at > ${after} then ${after} else watch_at end,
        exception_reasons = case when ${isNoted} then ${inJson(reasons)} else exception_reasons end,
        exception_at = case when ${isNoted} and exception is distinct from ${exception}
          then ${now}::timestamptz else exception_at end,
        exception = case when ${isNoted} then ${exception} else exception end
      where id = ${judged.id} returning *`
    return row
  }

  /** Records that the row is in order, or Medusa has followed (`settled`). An exception that a later read has found stays. */
  async recordProgress(
    judged: TransactionRow,
    settled?: { captured: boolean; orderId: string | undefined }
  ): Promise<TransactionRow> {
    const captured = settled?.captured ?? false
    const now = this.clock.now()
    const isOver = sql`${!settled || captured}
      and (exception = ${judged.exception} or exception = 'completion_failed')`
    const [row] = await this.run<[TransactionRow]>`
      update payment_service_transaction set updated_at = now(), apply_attempts = 0, apply_after = null,
        exception_reasons = case when ${isOver} then null else exception_reasons end,
        exception_at = case when ${isOver} then ${now} else exception_at end,
        exception = case when ${isOver} then null else exception end,
        settled_at = case when ${captured} then coalesce(settled_at, ${now}) else settled_at end,
        -- A hint that no read has answered yet then counts as a hint about the settled payment, so that watching goes on.
        hinted_at = case when ${captured} and settled_at is null and hinted_at > read_at
          then ${new Date(now.getTime() + 1)} else hinted_at end,
        order_id = case when ${captured} then coalesce(${settled?.orderId ?? null}, order_id) else order_id end
      where id = ${judged.id} returning *`
    return row
  }

  /** Records that the order of a settled row was deleted; null when the row is not settled, or not in order, any more. */
  async recordOrderGone(id: string): Promise<TransactionRow | null> {
    const [row] = await this.run<TransactionRow[]>`
      update payment_service_transaction set settled_at = null, exception = 'session_gone',
        exception_at = ${this.clock.now()}, updated_at = now(),
        exception_reasons = jsonb_build_array(jsonb_build_object('what', 'order_gone', 'order', order_id))
      where id = ${id} and settled_at is not null and exception is null and handled_at is null returning *`
    return row ?? null
  }

  /** Writes the event of a transaction that has settled in another state than before, or is over without its order being canceled yet. */
  async publish(row: TransactionRow): Promise<void> {
    if (row.published_state === row.state) return
    const event = {
      name: "payment_service.transaction_settled",
      at: this.clock.now(),
      data: sql`jsonb_build_object('transaction_row_id', id, 'transaction_id', transaction_id,
        'session_id', session_id, 'cart_id', cart_id, 'order_id', order_id,
        'old_state', ${row.published_state}::text, 'new_state', state,
        'amount', coalesce(accepted ->> 'amount', amount), 'currency', currency, 'late', paid_late)`,
    }
    await this.run`
      with published as (
        update payment_service_transaction set published_state = state
        where id = ${row.id} and state = ${row.state} and published_state = ${row.published_state} returning *)
      ${writingEvent(event, sql`from published`)}`
  }

  async findUnpublished(limit: number): Promise<TransactionRow[]> {
    return await this.run`
      select * from payment_service_transaction where ${rules.UNPUBLISHED} order by opened_at desc limit ${limit}`
  }

  /** Changes a row, but accepts no payment, and gives none another session, that has settled, or that a person took care of. */
  async change(id: string, { accepted, ...changes }: Changes): Promise<TransactionRow> {
    const columns = { ...changes, accepted: accepted && jsonb(accepted) }
    const isTaken = accepted || changes.session_id
    const [row] = await this.run<TransactionRow[]>`
      update payment_service_transaction set ${assignments(columns)}, updated_at = now()
      where id = ${id} ${isTaken ? sql`and settled_at is null and handled_at is null` : empty} returning *`
    if (!row) throw refused("settled_meanwhile")
    return row
  }

  async markDeferred(id: string): Promise<void> {
    await this.run`
      update payment_service_transaction set deferred_at = coalesce(deferred_at, ${this.clock.now()})
      where id = ${id}`
  }

  async inCollections(ids: string[]): Promise<TransactionRow[]> {
    return await this.run`select * from payment_service_transaction
      where ${isAmong("payment_collection_id", ids)} and deleted_at is null order by paid_at`
  }
}

/** A message of the service or Medusa may contain secrets. */
const inJson = (reasons: Reason[]) => jsonb(redactFacts(reasons))

/** The metadata key of the completion's id, in a cart and then in its order. */
export const COMPLETION_ID = "payment_service_completion_id"

/** One attempt of core to complete a cart. */
export interface Completion {
  /** ISO 8601. */
  beganAt: string
  /** Core copies it, with the cart's metadata, to the order that it makes. */
  id: string
  /** Whether the cart is held until the payment is booked, too. */
  isHeld: boolean
  /** Core has asked us for the payment, its last step: the order has everything else. */
  isAsked: boolean
  /** A person was told of the order that it left, which is not linked to the cart: the watcher leaves it alone. */
  isReported?: true
}

export interface CompletionMark {
  id: string
  cart_id: string
  payment_collection_id: string
  completion: Completion
  /** Whether the mark is older than the longest completion. */
  isOld: boolean
}

const oldSince = (now: Date) => new Date(now.getTime() - OLD_COMPLETION_MS).toISOString()
const isOldMark = (now: Date): Sql => sql`completion ->> 'beganAt' < ${oldSince(now)}`
/** SQL condition: core may be completing the cart of the row `t`. The mark may stand on another transaction of the cart. */
export const isBeingCompleted = (now: Date): Sql =>
  sql`exists (select 1 from payment_service_transaction m where m.deleted_at is null and m.completion is not null
    and (m.id = t.id or m.cart_id = t.cart_id)
    and m.completion ->> 'beganAt' >= ${oldSince(now)})`
export const isUnfinished = (now: Date): Sql =>
  sql`completion is not null and ${isOldMark(now)} and completion ->> 'isReported' is null
    and cart_id is not null and deleted_at is null`

const MARK = sql`id, cart_id, payment_collection_id, completion`

/** Marks on rows whose cart core is completing, or was completing when its process died. */
export class CompletionMarks extends Statements {
  /**
   * Marks that core is about to complete a cart with this transaction, and writes the completion's id to the cart's metadata. One
   * statement does both, because no change by a storefront in between may be lost. A mark that the cart has already is taken over
   * with its id: the order has that id, whichever of the two makes it, and the other one cannot end the mark any more.
   */
  async begin(row: { id: string; cart_id: string }, isHeld: boolean): Promise<CompletionMark> {
    const begun = { beganAt: this.clock.now().toISOString(), isHeld }
    const [mark] = await this.run<[CompletionMark]>`
      with of_cart as (
        select id from payment_service_transaction
        where cart_id = ${row.cart_id} and completion is not null and deleted_at is null),
      marked as (
        update payment_service_transaction
        set completion = coalesce(completion, ${jsonb({ id: randomUUID(), isAsked: false })}) || ${jsonb(begun)}
        where id in (select id from of_cart) or (id = ${row.id} and not exists (select 1 from of_cart))
        returning ${MARK}, false as "isOld"),
      named as (
        update cart set metadata = case when jsonb_typeof(metadata) = 'object' then metadata else '{}' end ||
          (select jsonb_build_object(${COMPLETION_ID}::text, completion ->> 'id') from marked limit 1)
        where id = ${row.cart_id})
      select * from marked`
    return mark
  }

  async note(cartId: string, what: Pick<Completion, "isAsked"> | Pick<Completion, "isReported">) {
    await this.run`update payment_service_transaction set completion = completion || ${jsonb(what)}
      where cart_id = ${cartId} and completion is not null and deleted_at is null`
  }

  /** The marks of a cart; more than one only when two of its transactions began at the same moment. */
  async find(cartId: string): Promise<CompletionMark[]> {
    return await this.run`
      select ${MARK}, ${isOldMark(this.clock.now())} as "isOld" from payment_service_transaction
      where cart_id = ${cartId} and completion is not null and deleted_at is null
      order by completion ->> 'beganAt'`
  }

  async findUnfinished(): Promise<string[]> {
    const rows = await this.run<{ cart_id: string }[]>`
      select cart_id from payment_service_transaction where ${isUnfinished(this.clock.now())}
      order by completion ->> 'beganAt' limit 20`
    return [...new Set(rows.map(({ cart_id }) => cart_id))]
  }

  /** Removes the mark of a completion that has ended, unless another one has taken it over. */
  async end({ id, completion }: Pick<CompletionMark, "id" | "completion">): Promise<void> {
    await this.run`update payment_service_transaction set completion = null
      where id = ${id} and completion ->> 'id' = ${completion.id}
        and completion ->> 'beganAt' = ${completion.beganAt}`
  }

  /**
   * Records that `order.placed` was emitted for an order, and removes the marks of its collections and of this one, which core may not
   * have linked to it. Returns the paid rows that are due now: no settle holds their cart, so none books the payment when core has ended.
   */
  async recordOrderPlaced(orderId: string, collectionId = ""): Promise<TransactionRow[]> {
    const placed = await this.run<(TransactionRow & { is_due: boolean })[]>`
      with placed as (
        select id, ${rules.PAID_AND_NOT_HANDLED} and settled_at is null
          and completion ->> 'isHeld' is distinct from 'true' as is_due
        from payment_service_transaction t where deleted_at is null and payment_collection_id in (
          select payment_collection_id from order_payment_collection
          where order_id = ${orderId} and deleted_at is null
          union all select ${collectionId})
        order by id for update)
      update payment_service_transaction t set updated_at = now(), completion = null,
        order_id = coalesce(order_id, ${orderId}),
        watch_at = case when is_due then ${this.clock.now()}::timestamptz else watch_at end
      from placed where t.id = placed.id and (is_due or order_id is null or completion is not null)
      returning t.*, is_due`
    return placed.filter(({ is_due }) => is_due)
  }
}
