import { generateEntityId } from "@medusajs/framework/utils"

import { redact } from "../../service/redact"
import { causeOfTransaction } from "../../settlement/cause"
import {
  type FoundProblem,
  problemOf,
  type ProblemKind,
  type ProblemResolution,
  QUIET_ATTEMPTS,
} from "../../settlement/problem"
import type { Clock } from "./clock"
import * as rules from "./rules-in-sql"
import type { RunSql } from "./sql"
import type { TransactionRow } from "./tables"

const CAUSE_OF_ROW = rules.CAUSE_OF_ROW.sql
const CAUSE_OF_STATUS = rules.CAUSE_OF_STATUS.sql

export const PROBLEM_OPENED = "payment_service.problem_opened"

/** What a problem is about; all of it may be missing. */
export interface ProblemSubject {
  transaction_row_id?: string | null
  transaction_id?: string | null
  session_id?: string | null
  cart_id?: string | null
  order_id?: string | null
  customer_id?: string | null
  /** Decimal text. */
  amount?: string | null
  currency?: string | null
}

const SUBJECT = [
  "transaction_row_id",
  "transaction_id",
  "session_id",
  "cart_id",
  "order_id",
  "customer_id",
  "amount",
  "currency",
] as const

export const BY_A_PERSON = "resolution in ('handled', 'refunded_outside')"
export const OPEN = "p.closed_at is null and p.deleted_at is null"
/** Of a status, the service or a callback, not of one transaction's money. */
const TRANSACTION_CAUSE = causeOfTransaction("%")

/** Ids of rows whose problem is not open yet. Looked for row by row: they are few, and problems are many. */
const NOT_OPEN_YET = `select t.id from payment_service_transaction t
  where t.exception is not null and t.deleted_at is null
    -- Of what a person took care of, nothing is looked at but what came after that.
    and (t.handled_at is null or t.exception_at > t.handled_at)
    and (t.exception <> 'completion_failed' or t.apply_attempts > ${QUIET_ATTEMPTS}) and not exists (
      select 1 from payment_service_problem p
      where p.cause = ${CAUSE_OF_ROW} and p.deleted_at is null
        and (p.closed_at is null or (p.closed_at >= t.exception_at and p.${BY_A_PERSON})) offset 0)`
/** Ids of rows whose problem is open although nothing is out of order any more. */
const OPEN_NO_MORE = `select t.id from payment_service_problem p
  join payment_service_transaction t on t.id = p.transaction_row_id
  where ${OPEN} and p.cause like '${TRANSACTION_CAUSE}' and t.exception is null`
/** Open problems of a status that no transaction has any more. */
const OF_KNOWN_STATUS = `${OPEN} and p.kind = 'unknown_status' and not exists (
  select 1 from payment_service_transaction t
  where t.exception = 'unknown_status' and t.deleted_at is null and ${CAUSE_OF_STATUS} = p.cause offset 0)`

/** In SQL: is there something that `findUnfollowed` finds, and something that `closeKnownStatuses` closes? */
// In the order of an index, because Postgres expects many of them and would begin with all rows.
export const IS_UNFOLLOWED = `exists (select 1 from (${NOT_OPEN_YET} order by t.exception limit 1) one)
  or exists (${OPEN_NO_MORE})`
export const IS_STATUS_KNOWN = `exists (select 1 from payment_service_problem p where ${OF_KNOWN_STATUS})`

const CLOSED_BY_A_PERSON = `select 1 from payment_service_problem closed
  where closed.cause = ? and closed.deleted_at is null and closed.${BY_A_PERSON}
    and closed.closed_at >= coalesce(?::timestamptz, '-infinity')
    and (?::text is null or (closed.kind = ?::text and closed.amount is not distinct from ?::text
      and closed.currency is not distinct from ?::text))`
/** A problem that a person has closed: since then, and of this kind and over this sum, if told. */
export interface ClosedByPerson {
  since?: Date | null
  as?: { kind: ProblemKind; sum: ProblemSubject } | null
}

/**
 * Problems, opened and closed by statements that give the same result however often and wherever they
 * run: one open problem per cause, and one event for each that opens.
 */
export class Problems {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /**
   * Opens a problem, or freshens the open one of the same cause. The event that tells of a new one is
   * written in the same statement, and whether a person has closed it in the meantime is asked in it, too.
   *
   * @returns whether it was not open before
   */
  async open(
    found: FoundProblem,
    subject: ProblemSubject = {},
    unless: ClosedByPerson | null = null
  ): Promise<boolean> {
    const now = this.clock.now()
    const values = SUBJECT.map((name) => subject[name] ?? null)
    const [seen] = await this.run<{ opened: boolean }[]>(
      `with seen as (
         insert into payment_service_problem
           (id, kind, cause, message, opened_at, last_seen_at, ${SUBJECT.join(", ")})
         select ?, ?, ?, ?, ?::timestamptz, ?::timestamptz, ${SUBJECT.map(() => "?").join(", ")}
         where ? or not exists (${CLOSED_BY_A_PERSON})
         on conflict (cause) where closed_at is null and deleted_at is null do update set
           kind = excluded.kind, message = excluded.message, last_seen_at = excluded.last_seen_at,
           ${SUBJECT.map((name) => `${name} = excluded.${name}`).join(", ")}
         returning *, (xmax = 0) as opened),
       told as (
         insert into payment_service_event (id, name, data, written_at, send_at)
         select 'psevt_' || id, ?, jsonb_build_object('id', 'psevt_' || id, 'problem_id', id,
           'kind', kind, 'message', message, ${SUBJECT.map((name) => `'${name}', ${name}`).join(", ")}),
           opened_at, opened_at
         from seen where opened)
       select opened from seen`,
      [
        generateEntityId("", "psprob"),
        found.kind,
        found.cause,
        redact(found.message),
        now,
        now,
        ...values,
        unless === null,
        ...closedByPerson(found.cause, unless ?? {}),
        PROBLEM_OPENED,
      ]
    )
    return seen?.opened ?? false
  }

  /**
   * Lets the problems of a transaction follow its row: opened while something is out of order that nobody
   * has closed since it began, closed when it is in order again.
   */
  async follow(row: TransactionRow): Promise<void> {
    const found = problemOf(row)
    if (!found || found.cause !== causeOfTransaction(row.id)) {
      await this.closeCause(causeOfTransaction(row.id), "settled")
    }
    if (found) {
      await this.openUnlessClosedSince(found, subjectOf(row), row.exception_at)
    }
  }

  /** Opens or freshens a problem, unless a person has closed it since it began. */
  async openUnlessClosedSince(
    found: FoundProblem,
    subject: ProblemSubject,
    since: Date | null
  ): Promise<void> {
    await this.open(found, subject, { since })
  }

  /** Closes the open problem of a cause, if there is one. */
  async closeCause(cause: string, resolution: ProblemResolution): Promise<void> {
    await this.run(
      `update payment_service_problem set closed_at = ?, resolution = ?, updated_at = now()
       where cause = ? and closed_at is null and deleted_at is null`,
      [this.clock.now(), resolution, cause]
    )
  }

  /**
   * What a person decided about a problem; what they took care of is remembered on its transaction. With
   * `money`, nothing happens any more by itself with the money of that transaction, and proof is kept that
   * it went back, if it did: one statement, so that neither a kill nor a settle in between ships what was
   * paid back. Refunds that were asked for are answered with it: as much as was `booked`, or all of them.
   */
  async close(
    id: string,
    closed: {
      resolution: ProblemResolution
      by: string | null
      note: string | null
      booked?: string
    },
    money: { of: string; back: { amount: string; currency: string } | null } | null = null
  ): Promise<void> {
    const now = this.clock.now()
    await this.run(
      `with closing as (
         select * from payment_service_problem
         where id = ? and (closed_at is null or resolution = 'settled')),
       asked as (
         select sum((entry ->> 'amount')::numeric) as sum
         from closing join payment_service_transaction t on t.id = closing.transaction_row_id,
           jsonb_array_elements(t.refunds_asked) entry),
       handled as (
         update payment_service_transaction t set
           handled_at = case when t.id = ? then coalesce(t.handled_at, ?) else t.handled_at end,
           watch_at = case when t.id = ? then null else t.watch_at end,
           -- What the person had before them, and not what may have been read in the same moment.
           handled_as = case when closing.cause <> ? || t.id then t.handled_as
             when closing.kind = 'reversed' then 'reversed' else 'paid' end,
           handled_amount = case when closing.cause = ? || t.id then closing.amount else t.handled_amount end,
           handled_currency = case when closing.cause = ? || t.id then closing.currency else t.handled_currency end,
           refunds_asked = case when asked.sum > 0 and (?::numeric is not null or closing.kind = 'refund_due')
             then t.refunds_asked || jsonb_build_array(jsonb_build_object(
               'amount', (-least(asked.sum, coalesce(?::numeric, asked.sum)))::text, 'at', ?::text))
             else t.refunds_asked end
         from closing, asked
         where t.id = closing.transaction_row_id and ?),
       proven as (
         insert into payment_service_refund_proof (id, transaction_row_id, problem_id, amount, currency,
           kind, note, given_by, given_at)
         select ?, ?, ?, ?, ?, 'outside', ?, ?, ?::timestamptz where ?
         on conflict do nothing)
       update payment_service_problem p
       set closed_at = ?, resolution = ?, closed_by = ?, note = ?, updated_at = now()
       from closing where p.id = closing.id`,
      [
        id,
        money?.of ?? null,
        now,
        money?.of ?? null,
        causeOfTransaction(""),
        causeOfTransaction(""),
        causeOfTransaction(""),
        closed.booked ?? null,
        closed.booked ?? null,
        now.toISOString(),
        closed.resolution === "handled" || closed.resolution === "refunded_outside",
        generateEntityId("", "psproof"),
        money?.of ?? null,
        id,
        money?.back?.amount ?? null,
        money?.back?.currency ?? null,
        closed.note,
        closed.by,
        now,
        Boolean(money?.back),
        now,
        closed.resolution,
        closed.by,
        closed.note,
      ]
    )
  }

  /** Rows whose problem is not open yet, or open no more with reason: what a killed process left behind. */
  async findUnfollowed(limit: number): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>(
      `(${NOT_OPEN_YET} order by t.exception limit ?) union (${OPEN_NO_MORE} limit ?)`,
      [limit, limit]
    )
    return rows.map(({ id }) => id)
  }

  /** Ids of rows with the status that a problem is about. */
  async transactionsOfStatus(cause: string, limit: number): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>(
      `select t.id from payment_service_transaction t
       where t.exception = 'unknown_status' and t.deleted_at is null and ${CAUSE_OF_STATUS} = ?
       order by t.opened_at limit ?`,
      [cause, limit]
    )
    return rows.map(({ id }) => id)
  }

  /** Problems of status names that no transaction has any more: an option names them now. */
  async closeKnownStatuses(): Promise<void> {
    await this.run(
      `update payment_service_problem p set closed_at = ?, resolution = 'settled', updated_at = now()
       where ${OF_KNOWN_STATUS}`,
      [this.clock.now()]
    )
  }

  /** Problems of places that an account leads to again, or where nothing waits any more. */
  async closeConfigured(notConfigured: string[]): Promise<void> {
    const others = notConfigured.map(() => "and cause <> ?").join(" ")
    await this.run(
      `update payment_service_problem set closed_at = ?, resolution = 'settled', updated_at = now()
       where kind = 'not_configured' and closed_at is null and deleted_at is null
         ${others}`,
      [this.clock.now(), ...notConfigured]
    )
  }

  /** Has a person closed such a problem? What closed by itself opens again when it was not over after all. */
  async wasClosedByPerson(cause: string, such: ClosedByPerson): Promise<boolean> {
    const rows = await this.run<unknown[]>(
      `${CLOSED_BY_A_PERSON} limit 1`,
      closedByPerson(cause, such)
    )
    return rows.length > 0
  }
}

function closedByPerson(cause: string, { since = null, as = null }: ClosedByPerson): unknown[] {
  const { kind = null, sum = {} } = as ?? {}
  return [cause, since, kind, kind, sum.amount ?? null, sum.currency ?? null]
}

export function subjectOf(row: TransactionRow): ProblemSubject {
  return {
    transaction_row_id: row.id,
    transaction_id: row.transaction_id,
    session_id: row.session_id,
    cart_id: row.cart_id,
    order_id: row.order_id,
    customer_id: row.customer_id,
    amount: row.read_amount ?? row.amount,
    currency: row.read_currency ?? row.currency,
  }
}
