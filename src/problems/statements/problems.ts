import { generateEntityId } from "@medusajs/framework/utils"

import { type Among, isAmong, isAny, ListQuery } from "../../database/list-query"
import { writingEvent } from "../../database/outbox"
import {
  assignments,
  beginsWith,
  empty,
  join,
  jsonb,
  raw,
  sql,
  type Sql,
  Statements,
} from "../../database/sql"
import type {
  ProblemRow,
  ReconciliationRunRow,
  TransactionRow,
} from "../../modules/payment-service/tables"
import { type Handled, paidSum } from "../../payments/rules/transaction"
import { enter } from "../../payments/statements/ledger"
import { toKopeck } from "../../payments/statements/rules-in-sql"
import {
  isMeant,
  type MoneyCount,
  type TransactionSearch,
} from "../../payments/statements/transaction-list"
import { isBeingCompleted } from "../../payments/statements/transactions"
import { refused } from "../../refusals/refused"
import { redact, redactFacts } from "../../service/redact"
import type { Sum } from "../../texts"
import * as rules from "../rules/problems"
import * as conditions from "./problems-in-sql"

export const PROBLEM_OPENED = "payment_service.problem_opened"
/** A trigger of the table writes this event, whichever statement closes the problem. */
export const PROBLEM_CLOSED = "payment_service.problem_closed"

/** The id of a problem's event, and of its notification, is this with the problem's id. */
export const OPENING = "psevt_"

/** The ids and the sum of a problem's subject; each may be missing. */
const SUBJECT = [
  "transaction_row_id",
  "transaction_id",
  "session_id",
  "cart_id",
  "order_id",
  "customer_id",
  "amount",
  "currency",
] as const satisfies (keyof ProblemRow)[]
type ProblemSubject = Partial<Pick<ProblemRow, (typeof SUBJECT)[number]>>
const SUBJECT_COLUMNS = raw(SUBJECT.join(", "))

export interface Decision {
  resolution: Exclude<rules.ProblemResolution, "settled">
  by: string | null
  note: string | null
  /** A decision about an order's money: its problem's sum goes to the ledger. */
  decided?: "waived" | "accepted"
  /** The sum that went back by another way than payouts: a proof of it is written. */
  back?: Sum | null
  /** Medusa does not hold the money, and from now on nothing is done with it automatically. */
  isUntaken?: boolean
}

/** The only writer of problems, by repeatable statements. Each cause has one open problem, and each opening has one event. */
export class Problems extends Statements {
  /**
   * Opens a problem, or updates the open one of the same cause, unless a person has closed it since it began, or with the facts
   * that its kind names (`ProblemEntry`). A new problem has its event in the same transaction.
   *
   * @param began null when the problem begins whenever it is seen
   */
  async report(found: rules.FoundProblem, subject: ProblemSubject = {}, began: Date | null = null) {
    const now = this.clock.now().toISOString()
    const facts = redactFacts(found.facts)
    const message = rules.textOf({ kind: found.kind, facts }).en
    const columns = SUBJECT.map((name) => raw(`${name} = excluded.${name}`))
    const named = SUBJECT.map((name) => raw(`'${name}', ${name}`))
    await this.database.inTransaction(async (run) => {
      // A person may just be closing it: a statement that began before that has ended would open it again.
      await run`select id from payment_service_problem
        where cause = ${found.cause} and closed_at is null and deleted_at is null for update`
      await run`
        with seen as (
          insert into payment_service_problem
            (id, kind, cause, facts, opened_at, last_seen_at, ${SUBJECT_COLUMNS})
          select ${generateEntityId("", "psprob")}, ${found.kind}, ${found.cause}, ${jsonb(facts)},
            ${now}::timestamptz, ${now}::timestamptz, ${join(SUBJECT.map((name) => subject[name] ?? null))}
          where ${mayOpen({ ...found, facts }, began)}
          on conflict (cause) where closed_at is null and deleted_at is null do update set
            kind = excluded.kind, facts = excluded.facts, last_seen_at = excluded.last_seen_at,
            ${join(columns)}
          returning *, (xmax = 0) as opened)
        ${writingEvent(
          {
            id: sql`${OPENING} || id`,
            name: PROBLEM_OPENED,
            data: sql`jsonb_build_object('problem_id', id, 'kind', kind,
              'message', ${redact(message)}::text, 'facts', facts, ${join(named)})`,
            at: sql`opened_at`,
          },
          sql`from seen where opened`
        )}`
    })
  }

  /** Opens or closes the problem of a row's exception; one that a person has closed since that began stays closed. */
  async openOrCloseFor(row: TransactionRow): Promise<void> {
    const found = rules.problemOf(row)
    const own = rules.causeOfTransaction(row.id)
    if (found?.cause !== own) await this.close([own])
    if (found) {
      // A status that no option names is about any number of rows.
      const subject = found.kind === "unknown_status" ? {} : subjectOf(row)
      await this.report(found, subject, row.exception_at)
    }
  }

  async close(causes: string[]): Promise<void> {
    if (causes.length) await this.closeWhere(sql`p.cause in (${join(causes)})`)
  }

  /** Closes the problems of unknown statuses that no transaction has any more, because an option lists them now. */
  async closeKnownStatuses(): Promise<void> {
    await this.closeWhere(conditions.OF_KNOWN_STATUS)
  }

  /** Closes all `not_configured` problems except those with the causes `notConfigured`. */
  async closeConfigured(notConfigured: string[]): Promise<void> {
    await this.closeWhere(sql`p.kind = 'not_configured'
      ${notConfigured.length ? sql`and p.cause not in (${join(notConfigured)})` : empty}`)
  }

  private async closeWhere(condition: Sql): Promise<void> {
    await this.run(conditions.closingWhere(condition, this.clock.now()))
  }

  /**
   * Closes a problem by a person's decision, and keeps on its transaction the state that the person saw. One transaction does that and
   * all that the decision asks for, so that neither a kill nor a settle in between ships an order whose money was paid back.
   *
   * @throws MedusaError `NOT_ALLOWED`, and writes nothing, when money that no order took is taken by now, or core is about to
   */
  async closeByPerson(id: string, decision: Decision): Promise<void> {
    const { resolution, by, note, decided, back, isUntaken = false } = decision
    const now = this.clock.now()
    await this.database.inTransaction(async (run) => {
      const [problem] = await run<ProblemRow[]>`select * from payment_service_problem
        where id = ${id} and (closed_at is null or resolution = 'settled') for update`
      if (!problem) throw refused("problem_closed")
      const { transaction_row_id: rowId, order_id, amount, currency } = problem
      // Money that the service took back is not money that went back.
      const isReversed = problem.kind === "reversed"
      const said = { problem_id: id, note, by }
      if (back) {
        const kind = isReversed ? "reversed" : "outside"
        await enter(run, now, { ...back, ...said, transaction_row_id: rowId, kind })
      }
      if (decided && !problem.closed_at && amount !== null && currency !== null) {
        await enter(run, now, { ...said, kind: decided, order_id, amount, currency })
      }
      // A payment whose creation had no reply has no problem of its own cause yet, only one of the comparison.
      const isOwn =
        problem.cause === rules.causeOfTransaction(rowId ?? "") ||
        (isUntaken && problem.kind === "payment_not_here")
      if (rules.BY_A_PERSON.includes(resolution) && (isOwn || isUntaken)) {
        // The state that the person saw in the problem, not one that a read finds at the same moment.
        const as = isReversed ? "reversed" : "paid"
        const handled = jsonb({ at: now.toISOString(), as, amount, currency } satisfies Handled)
        const columns = {
          handled: isOwn ? handled : undefined,
          ...(isUntaken && { handled_at: sql`coalesce(handled_at, ${now})`, watch_at: null }),
        }
        const isStillUntaken = sql`and t.settled_at is null and not ${isBeingCompleted(now)}`
        const changed = await run<unknown[]>`
          update payment_service_transaction t set ${assignments(columns)}
          where t.id = ${rowId} ${isUntaken ? isStillUntaken : empty} returning t.id`
        if (isUntaken && !changed.length) throw refused("taken_meanwhile")
      }
      const columns = { closed_at: now, resolution, closed_by: by, note }
      await run`update payment_service_problem set ${assignments(columns)}, updated_at = now()
        where id = ${id}`
    })
  }

  /** Rows whose problem must still be opened or closed, because a process died before that. */
  async findUnfollowed(limit: number): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>`
      (${conditions.NOT_OPEN_YET} order by t.exception limit ${limit}) union (${conditions.IN_ORDER_AGAIN} limit ${limit})`
    return rows.map(({ id }) => id)
  }
}

/** SQL condition: no person has closed this problem since it began, or last with the same facts, see `ProblemEntry`. */
function mayOpen(found: rules.FoundProblem, began: Date | null): Sql {
  const facts = rules.factsThatOpenAgain(found)
  const isSame = facts
    ? sql`closed.kind = ${found.kind} and closed.facts @> ${jsonb(facts)}`
    : sql`closed.closed_at >= ${began}::timestamptz`
  return sql`not exists (select 1 from (
      select * from payment_service_problem
      where cause = ${found.cause} and deleted_at is null and ${conditions.CLOSED_BY_A_PERSON}
      order by closed_at desc limit 1) closed
    where ${isSame})`
}

export function subjectOf(row: TransactionRow): ProblemSubject {
  const { id, transaction_id, session_id, cart_id, order_id, customer_id } = row
  const ids = { transaction_id, session_id, cart_id, order_id, customer_id }
  return { transaction_row_id: id, ...ids, ...paidSum(row) }
}

/** Ids that a problem has itself, and that payments with its status have, too. */
const ABOUT = ["transaction_id", "cart_id", "order_id", "customer_id"] as const

type Comparison = Pick<ReconciliationRunRow, "merchant_id" | "started_at" | "finished_at">

/** Selects problems by any of the values of each field given; that of a status by the facts of each payment with it. */
interface ProblemFilter extends Among<
  "id" | "kind" | "transaction_row_id" | (typeof ABOUT)[number]
> {
  status?: "open" | "closed"
  /** Accounts that opened the payments in question; a problem without a payment of ours has none. */
  account?: string[]
  seen_by?: Comparison
  /** A problem is found by its own columns, or by the payer of its payment. */
  search?: TransactionSearch
}

/** The columns by which the list may be sorted. Problems are few, so only the first needs an index. */
export const PROBLEMS_SORTED_BY = {
  opened_at: "p.opened_at",
  closed_at: "p.closed_at",
  // Sums of several currencies are not added, so the largest counts.
  amount: sql`coalesce(p.amount::numeric, (select max(money.amount) from (${conditions.MONEY_OF_STATUS}) money))`,
}
type SortedBy = keyof typeof PROBLEMS_SORTED_BY

export class ProblemList extends ListQuery<ProblemRow, ProblemFilter, SortedBy> {
  protected readonly from = "payment_service_problem p"
  protected readonly madeAt = "p.opened_at"
  protected readonly sortedBy = PROBLEMS_SORTED_BY
  protected override readonly nullable: SortedBy[] = ["closed_at", "amount"]

  protected conditions({ account, seen_by, search, ...filter }: ProblemFilter) {
    return [
      raw("p.deleted_at is null"),
      filter.status && raw(`p.closed_at is ${filter.status === "open" ? "null" : "not null"}`),
      isAmong("p.id", filter.id),
      isAmong("p.kind", filter.kind),
      account && hasPayment(isAmong("t.account", account)),
      seen_by && wasSeenBy(seen_by),
      isAbout("p.transaction_row_id", "t.id", filter.transaction_row_id),
      ...ABOUT.map((id) => isAbout(`p.${id}`, `t.${id}`, filter[id])),
      search && isMeantBy(search),
    ]
  }

  async moneyOfStatuses(ids: string[]): Promise<(MoneyCount & { id: string })[]> {
    return await this.run`select p.id, money.currency, money.count, money.amount::text as amount
      from payment_service_problem p cross join lateral (${conditions.MONEY_OF_STATUS}) money
      where ${isAmong("p.id", ids)} order by p.id, money.amount desc`
  }
}

/** A comparison saw the problem: it is about a payment or an order of its merchant, was open while it ran, and reported then or later. */
const wasSeenBy = ({ merchant_id, started_at, finished_at }: Comparison) =>
  sql`p.last_seen_at >= ${started_at} and p.opened_at <= coalesce(${finished_at}::timestamptz, p.opened_at)
    and (p.closed_at is null or p.closed_at >= ${started_at}) and p.kind <> 'payout_unknown'
    and (coalesce(p.transaction_row_id, p.transaction_id, p.order_id) is not null
      or p.kind in ('payment_not_here', 'unknown_status'))
    and ${merchant_id} = coalesce(
      (select lower(t.merchant_id) from payment_service_transaction t where t.id = p.transaction_row_id),
      lower(p.facts ->> 'merchantId'), lower(p.facts ->> 'merchant'), ${merchant_id})`

/** The problem has this value itself, or one of the payments with its status has it. */
function isAbout(ofProblem: string, ofPayment: string, value: string | string[] | undefined) {
  if (value === undefined) return undefined
  return isAny([isAmong(ofProblem, value), hasPaymentOfStatus(isAmong(ofPayment, value))])
}

/** The problem's own payment, or one of those with its status, meets the condition. */
const hasPayment = (condition: Sql) =>
  sql`(exists (select 1 from payment_service_transaction t
      where t.id = p.transaction_row_id and t.deleted_at is null and ${condition})
    or ${hasPaymentOfStatus(condition)})`

const hasPaymentOfStatus = (condition: Sql) =>
  sql`(p.kind = 'unknown_status'
    and exists (select 1 from payment_service_transaction t where ${conditions.IS_OF_STATUS} and ${condition}))`

/** So many characters at the end of its id are a problem's short number. */
export const SHORT_NUMBER = 6

/** A search means the problem, which may be about no payment of ours, or its payment. */
function isMeantBy(search: TransactionSearch): Sql {
  const { id, orderIds, payers, amount } = search
  const begins = ["id", "transaction_row_id", "cart_id", "order_id"]
  return isAny([
    hasPayment(isMeant(search)),
    ...begins.map((column) => id !== null && beginsWith(`p.${column}`, id)),
    // A notification names a problem by the end of its id.
    id?.length === SHORT_NUMBER && sql`right(p.id, ${SHORT_NUMBER}) = ${id.toUpperCase()}`,
    // The service's own spelling of an id is stored.
    id !== null && beginsWith("lower(p.transaction_id)", id.toLowerCase()),
    isAmong("p.order_id", orderIds),
    isAmong("p.customer_id", payers),
    amount !== null && sql`${toKopeck("p.amount")} = ${amount}::numeric`,
  ])
}
