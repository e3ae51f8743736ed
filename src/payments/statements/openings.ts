import { generateEntityId } from "@medusajs/framework/utils"

import { assignments, columnsAndValues, empty, jsonb, sql, Statements } from "../../database/sql"
import type { TransactionRow } from "../../modules/payment-service/tables"
import { causeOfFailedOpenings } from "../../problems/rules/problems"
import type { Refusal } from "../../problems/rules/reasons"
import { closingWhere } from "../../problems/statements/problems-in-sql"
import type { CreatedTransaction } from "../../service/client"
import { redactFacts } from "../../service/redact"
import type { WireAmount } from "../../values/amount"
import { CREATION_UNDER_WAY_MS } from "../rules/timing"
import {
  type Figures,
  type Merchant,
  merchantAccountId,
  merchantAccountOf,
} from "../rules/transaction"
import { MERCHANT_ACCOUNT_OF_ROW } from "./rules-in-sql"

/** The watcher's first look at a new transaction comes after this pause, because nobody pays faster. */
const FIRST_WATCH_MS = 5_000
/** A callback can overtake the reply to a creation by this much. */
const OVERTAKING_MS = 60_000

/** The columns of a transaction that are known before the service is asked for it. */
type NewTransaction = { amount: WireAmount } & Pick<TransactionRow, "currency" | "description"> &
  Pick<TransactionRow, "account" | "base_url" | "merchant_id" | "method"> &
  Pick<TransactionRow, "session_id" | "first_session_id" | "payment_collection_id"> &
  Pick<TransactionRow, "cart_id" | "order_id" | "customer_id" | "payer_id">

/** The target of a payment: an order, through any of its payment collections, or the one payment collection. */
export interface PaymentTarget {
  orderId: string | null
  collectionId: string
}

/** Writes the rows of new transactions, and the service's replies to their creation. */
export class Openings extends Statements {
  /**
   * Finds the transactions that matter before another payment is opened: a paid one that no person has taken care of, and the latest
   * that may still be paid, newest first. An order's settled payments do not count, because more may be owed by now.
   */
  async findOthers(
    { orderId, collectionId }: PaymentTarget,
    most: number
  ): Promise<{ paid: TransactionRow | null; watched: TransactionRow[] }> {
    const isPaid = sql`paid_at is not null and handled_at is null
      ${orderId ? sql`and settled_at is null` : empty}`
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

  /** Records that the service refused the creation, or that its outcome is unknown, and why, if the service is the reason. */
  async recordFailed(rowId: string, state: "refused" | "unknown", reason: Refusal | null) {
    await this.run`update payment_service_transaction set state = ${state}, updated_at = now(),
        exception_reasons = ${reason && jsonb(redactFacts([reason]))}
      where id = ${rowId} and transaction_id is null`
  }

  /**
   * Counts the creations of the last week that failed since the service last opened a payment of this merchant account and method.
   * Refused credentials, a problem of their own, do not count. How long failures last is judged by those of the last hour alone.
   */
  async failuresInARow(merchant: Merchant, method: string) {
    const isOfMethod = sql`${MERCHANT_ACCOUNT_OF_ROW} = ${merchantAccountId(merchant)} and t.method = ${method}
      and t.deleted_at is null`
    const now = sql`${this.clock.now()}::timestamptz`
    const [found] = await this.run<
      [{ failures: number; since: Date | null; inHourSince: Date | null }]
    >`
      select count(*)::int as failures, min(t.opened_at) as since,
         min(t.opened_at) filter (where t.opened_at > ${now} - interval '1 hour') as "inHourSince"
       from payment_service_transaction t
       where ${isOfMethod} and t.state in ('refused', 'unknown')
         and t.exception_reasons -> 0 ->> 'code' <> 'unauthorized'
         and t.opened_at > ${now} - interval '1 week'
         and t.opened_at > coalesce((select t.opened_at from payment_service_transaction t
           where ${isOfMethod} and t.redirect is not null order by t.opened_at desc limit 1), '-infinity')`
    return found
  }

  /** Gives a row the id from the lost reply to its creation and makes it due, unless another row has it; returns whether it has it now. */
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
