import { randomUUID } from "node:crypto"

import { generateEntityId } from "@medusajs/framework/utils"

import { type Among, isAmong, isAny, ListQuery } from "../../database/list-query"
import { writingEvent } from "../../database/outbox"
import {
  assignments,
  columnsAndValues,
  type Database,
  empty,
  join,
  jsonb,
  type RunSql,
  sql,
  type Sql,
  Statements,
  withoutWildcards,
} from "../../database/sql"
import type { PayoutEntryRow, PayoutRow } from "../../modules/payment-service/tables"
import { enter } from "../../payments/statements/ledger"
import { isMeant as isMeantPayment } from "../../payments/statements/transaction-list"
import { isBeingCompleted } from "../../payments/statements/transactions"
import { causeOfPayout } from "../../problems/rules/problems"
import { closingWhere } from "../../problems/statements/problems-in-sql"
import { notFound } from "../../refusals/refused"
import { text } from "../../texts"
import { maskedCard, withoutCardNumbers } from "../rules/card-text"
import { PAYOUT_CURRENCY, type PayoutEntryKind, type PayoutFacts } from "../rules/payout"

export const PAYOUT_USERS_CHANGED = "payment_service.payout_users_changed"

export const newPayoutId = () => generateEntityId("", "pspo")

export interface PayoutAdmin {
  id: string
  name: string
  /** When this user of the store was made. */
  since: Date
  /** The address of the connection, which nobody can choose. */
  address: string | null
  /** The address that a header named instead; only a proxy that overwrites the header makes it true. */
  forwardedAddress: string | null
}

/** Columns of a payout; those that are not given keep what they have, or their defaults. */
type Columns = Partial<Omit<PayoutRow, "reason_facts">>

/** The sums of payouts that pay money back, in whole rubles: created (or said to be), being sent or unknown, and not sent. */
export type PaidBack = Record<"paidOut" | "underWay" | "drafts", number>

export const NOTHING_PAID_BACK: PaidBack = { paidOut: 0, underWay: 0, drafts: 0 }

class PayoutStatements extends Statements {
  /** The part of a day's limit that payouts have used up, in whole rubles. What was not sent uses up nothing. */
  async usedOn(day: string): Promise<number> {
    const [{ used }] = await this.run<[{ used: number }]>`
      select coalesce(sum(amount), 0)::float8 as used from payment_service_payout
      where limit_day = ${day} and state in ('sending', 'created', 'unknown', 'marked_sent')
        and deleted_at is null`
    return used
  }

  /** The stop of all payouts, with its author and time; null when there is none, or it was lifted. */
  async stop() {
    const [latest] = await this.run<{ kind: string; at: Date; by: string; by_name: string }[]>`
      select kind, at, by, by_name from payment_service_payout_entry
      where payout_id is null and kind in ('stopped', 'resumed') and deleted_at is null
      -- The instances' own clocks may differ.
      order by created_at desc, id desc limit 1`
    if (latest?.kind !== "stopped") return null
    return { at: latest.at, by: { id: latest.by, name: latest.by_name } }
  }

  /** The sums of the payouts that pay each of these rows back, by the rows' ids; rows without such payouts are left out. */
  async paidBackOf(rowIds: string[]): Promise<Map<string, PaidBack>> {
    if (!rowIds.length) return new Map()
    const found = await this.run<(PaidBack & { rowId: string })[]>`
      select p.transaction_row_id as "rowId",
        coalesce(sum(p.amount) filter (where p.state in ('created', 'marked_sent')), 0)::float8 as "paidOut",
        coalesce(sum(p.amount) filter (where p.state in ('sending', 'unknown')), 0)::float8 as "underWay",
        coalesce(sum(p.amount) filter (where p.state in ('draft', 'awaiting_approval')), 0)::float8 as drafts
      from payment_service_payout p
      where p.transaction_row_id in (${join(rowIds)}) and p.deleted_at is null
      group by p.transaction_row_id`
    return new Map(found.map(({ rowId, ...paidBack }) => [rowId, paidBack]))
  }

  /** The sums of one of these payments. Under way are those of all of them: they may pay back the same money. */
  async paidBackAmong(rowIds: string[], rowId: string): Promise<PaidBack> {
    const sums = await this.paidBackOf(rowIds)
    const underWay = [...sums.values()].reduce((sum, one) => sum + one.underWay, 0)
    return { ...(sums.get(rowId) ?? NOTHING_PAID_BACK), underWay }
  }

  /** Enters something in the journal of a payout, or (null) of all of them; `by` is null for what no admin did. */
  async enter<Kind extends keyof PayoutFacts>(
    payout_id: string | null,
    kind: Kind,
    facts: PayoutFacts[Kind],
    by: PayoutAdmin | null
  ): Promise<void> {
    const columns = {
      id: generateEntityId("", "pspoe"),
      payout_id,
      at: this.clock.now(),
      kind,
      facts: jsonb(facts),
      by: by?.id ?? null,
      by_name: by?.name ?? null,
      address: by?.address ?? null,
      forwarded_address: by?.forwardedAddress ?? null,
    }
    await this.run`insert into payment_service_payout_entry ${columnsAndValues(columns)}`
  }
}

/** A payout whose row is locked until the transaction ends. */
export class LockedPayout extends PayoutStatements {
  readonly now = this.clock.now()

  constructor(
    database: Database,
    public row: PayoutRow
  ) {
    super(database)
  }

  async note<Kind extends PayoutEntryKind>(
    kind: Kind,
    facts: PayoutFacts[Kind],
    by: PayoutAdmin | null
  ): Promise<void> {
    await this.enter(this.row.id, kind, facts, by)
  }

  async update({ reason_facts, ...columns }: Columns & { reason_facts?: object | null }) {
    const changed = { ...columns, reason_facts: reason_facts && jsonb(reason_facts) }
    const [row] = await this.run<[PayoutRow]>`
      update payment_service_payout set ${assignments(changed)}, updated_at = now()
      where id = ${this.row.id} returning *`
    this.row = row
  }

  async countWrongNumbers(): Promise<number> {
    const [{ count }] = await this.run<[{ count: number }]>`
      select count(*)::int as count from payment_service_payout_entry
      where payout_id = ${this.row.id} and kind = 'wrong_number' and deleted_at is null`
    return count
  }

  async proveRefund(): Promise<void> {
    const { row } = this
    if (row.transaction_row_id === null) return
    const card = maskedCard(row.card_last4)
    await enter(this.run, this.now, {
      transaction_row_id: row.transaction_row_id,
      problem_id: row.problem_id,
      payout_id: row.id,
      amount: String(row.amount),
      currency: PAYOUT_CURRENCY,
      kind: "payout",
      note: `Payout ${row.id}${card ? ` to ${card}` : ""}`,
      by: row.sent_by ?? row.made_by,
    })
  }

  /**
   * While a payout pays money back, no order may be placed with it: the row counts as handled until no payout does any more. Money
   * that a person took care of stays so.
   * @returns false, and writes nothing, when Medusa has the money by now, or while core may be completing a cart with money that is
   * about to be paid back (`isClaim`): core would not ask for money again that it took in an earlier completion
   */
  async followMoney({ isClaim = false } = {}): Promise<boolean> {
    const { transaction_row_id: rowId } = this.row
    if (rowId === null) return true
    // Locked before, so that the next statement sees all that was committed during the wait. A completion may mark any row of the cart.
    await this.run`select id from payment_service_transaction
       where (id = ${rowId} or cart_id = (select cart_id from payment_service_transaction where id = ${rowId}))
         and deleted_at is null
       order by id for update`
    const followed = await this.run<unknown[]>`update payment_service_transaction t set
         handled_at = case when money.is_paid_back then coalesce(t.handled_at, ${this.now})
           when t.handled is not null then t.handled_at end,
         watch_at = case when money.is_paid_back then null
           when t.handled is not null then t.watch_at else ${this.now}::timestamptz end,
         updated_at = now()
       from (select exists (select 1 from payment_service_payout o
           where o.transaction_row_id = ${rowId} and o.deleted_at is null
             and o.state in ('sending', 'unknown', 'created', 'marked_sent')) as is_paid_back) money
       where t.id = ${rowId} and t.settled_at is null
         and (${!isClaim} or not ${isBeingCompleted(this.now)})
       returning t.id`
    return followed.length > 0
  }

  async closeUnknown(): Promise<void> {
    await this.run(closingWhere(sql`p.cause = ${causeOfPayout(this.row.id)}`, this.now))
  }

  async publish(): Promise<void> {
    const { id, state, reason_code: reason } = this.row
    const data = jsonb({ payout_id: id, ...shownFacts(this.row), reason })
    await this.run(writingEvent({ name: `payment_service.payout_${state}`, data, at: this.now }))
  }
}

/** The fields of a payout that events and admins get. */
export const shownFacts = (row: PayoutRow) => ({
  state: row.state,
  account: row.account,
  merchant_id: row.merchant_id,
  amount: row.amount,
  currency: PAYOUT_CURRENCY,
  amount_usdt: row.amount_usdt,
  card_masked: maskedCard(row.card_last4),
  withdrawal_record_id: row.withdrawal_record_id,
  order_id: row.order_id,
  problem_id: row.problem_id,
  transaction_row_id: row.transaction_row_id,
})

export function cardFacts({ amount, card_last4 }: PayoutRow) {
  return { amount, card: maskedCard(card_last4) }
}

/** SQL condition on payouts `p`: the answer is overdue, because the process died or stood still. */
export const isLost = (now: Date) =>
  sql`p.state = 'sending' and p.answer_by <= ${now} and p.deleted_at is null`

/** SQL condition on payouts `p`: unknown since before a moment, and without an open problem. */
export const isUnknownSince = (moment: Date) =>
  sql`p.state = 'unknown' and p.sent_at <= ${moment} and p.deleted_at is null
    and not exists (select 1 from payment_service_problem known
      where known.cause = 'payout:' || p.id and known.closed_at is null and known.deleted_at is null)`

const MOST_AT_ONCE = 100

/** The only writer of payouts. Each change is decided on the locked row and committed with its journal and its event. */
export class Payouts extends PayoutStatements {
  async get(id: string): Promise<PayoutRow> {
    return await payoutOf(this.run, id)
  }

  /** The last entry in the journal of each of these payouts, by the payout's id. */
  async lastEntriesOf(ids: string[]) {
    type Last = Pick<PayoutEntryRow, "at" | "by" | "by_name">
    const entries = await this.run<(Last & { payout_id: string; kind: PayoutEntryKind })[]>`
      select distinct on (payout_id) payout_id, at, kind, by, by_name from payment_service_payout_entry
      where payout_id in (${join(ids)}) and deleted_at is null order by payout_id, at desc, id desc`
    return new Map(entries.map((entry) => [entry.payout_id, entry]))
  }

  async make(payout: Columns, by: PayoutAdmin): Promise<PayoutRow> {
    const columns = { idempotency_key: randomUUID(), made_at: this.clock.now(), ...payout }
    return await this.database.inTransaction(async (run) => {
      const [row] = await run<[PayoutRow]>`
        insert into payment_service_payout ${columnsAndValues(columns)} returning *`
      const facts = { ...cardFacts(row), note: row.note }
      await new LockedPayout({ ...this.database, run }, row).note("made", facts, by)
      return row
    })
  }

  /** Changes a payout with its row locked, and no other one meanwhile: a claim depends on all that the day's limit counts. */
  async change<T>(id: string, work: (payout: LockedPayout) => Promise<T>): Promise<T> {
    return await this.alone(async (run) => {
      const row = await payoutOf(run, id, sql`for update`)
      return await work(new LockedPayout({ ...this.database, run }, row))
    })
  }

  /** Changes the payouts `p` that meet a condition, one after the other. */
  async changeAll(condition: Sql, work: (payout: LockedPayout) => Promise<void>): Promise<void> {
    const found = await this.run<{ id: string }[]>`
      select p.id from payment_service_payout p where ${condition} limit ${MOST_AT_ONCE}`
    for (const { id } of found) await this.change(id, work)
  }

  /** A transaction that waits for others of its kind, on all instances. Its lock comes before a row's, so that two never deadlock. */
  readonly alone: Database["inTransaction"] = (work) =>
    this.database.inTransaction(async (run) => {
      await run`select pg_advisory_xact_lock(hashtext('payment_service_payout'), 1)`
      return await work(run)
    })

  /** Sets the stop, which every claim and every request that is made later sees, or lifts it. The last word counts, so a repeated one is kept, too. */
  async setStopped(isStopped: boolean, by: PayoutAdmin): Promise<void> {
    await this.enter(null, isStopped ? "stopped" : "resumed", {}, by)
  }

  /** Records who may pay out, when it is another list than a store of this database recorded last; an event tells it. */
  async recordUsers(users: string[]): Promise<void> {
    await this.alone(async (run) => {
      const [last] = await run<{ users: string[] }[]>`
        select facts->'users' as users from payment_service_payout_entry
        where payout_id is null and kind = 'users_changed' and deleted_at is null
        order by at desc, id desc limit 1`
      const before = last?.users ?? []
      const added = users.filter((id) => !before.includes(id))
      const removed = before.filter((id) => !users.includes(id))
      if (!added.length && !removed.length) return
      const facts = { users, added, removed }
      const statements = new PayoutStatements({ ...this.database, run })
      await statements.enter(null, "users_changed", facts, null)
      const named = (ids: string[]) => ids.join(", ") || "–"
      const names = { added: named(added), removed: named(removed) }
      const messages = text("payoutNotices", "users_changed", names)
      const data = jsonb({ ...facts, message: messages.en, messages })
      await run(writingEvent({ name: PAYOUT_USERS_CHANGED, data, at: this.clock.now() }))
    })
  }
}

async function payoutOf(run: RunSql, id: string, lock = empty): Promise<PayoutRow> {
  const [row] = await run<PayoutRow[]>`
    select * from payment_service_payout where id = ${id} and deleted_at is null ${lock}`
  // The id comes from an address, into which somebody may have typed a card number.
  if (!row) throw notFound("no_payout", withoutCardNumbers(id))
  return row
}

const FILTERED_BY = [
  "state",
  "account",
  "order_id",
  "problem_id",
  "transaction_row_id",
  "made_by",
] as const

interface PayoutFilter extends Among<(typeof FILTERED_BY)[number]> {
  created_at?: { gte?: Date; lt?: Date }
  search?: PayoutSearch
}

/** The possible meanings of a search text; a payout is found by any of them. */
interface PayoutSearch {
  /** Ids of payouts, ours or the service's. */
  ids: string[]
  orderIds: string[]
  buyers: Parameters<typeof isMeantPayment>[0]
  last4?: string
  amount?: string
  /** Words, or parts of words, that must all stand in the note or the maker's name. */
  words: string[]
}

/** An index serves each. */
export const PAYOUTS_SORTED_BY = { created_at: "made_at", amount: "amount" }

export class PayoutList extends ListQuery<PayoutRow, PayoutFilter, keyof typeof PAYOUTS_SORTED_BY> {
  protected readonly from = "payment_service_payout"
  protected readonly madeAt = "made_at"
  protected readonly sortedBy = PAYOUTS_SORTED_BY

  protected conditions({ created_at, search, ...filter }: PayoutFilter) {
    return [
      sql`deleted_at is null`,
      ...FILTERED_BY.map((column) => isAmong(column, filter[column])),
      created_at?.gte && sql`made_at >= ${created_at.gte}`,
      created_at?.lt && sql`made_at < ${created_at.lt}`,
      search && isMeant(search),
    ]
  }
}

function isMeant({ ids, orderIds, buyers, last4, amount, words }: PayoutSearch): Sql {
  const named = words.map(
    (word) => sql`coalesce(note, '') || ' ' || made_by_name ilike ${`%${withoutWildcards(word)}%`}`
  )
  return isAny([
    isAmong("id", ids),
    isAmong("withdrawal_record_id", ids),
    isAmong("order_id", [...orderIds, ...buyers.orderIds]),
    sql`transaction_row_id in (select t.id from payment_service_transaction t where ${isMeantPayment(buyers)})`,
    isAmong("card_last4", last4),
    isAmong("amount", amount),
    words.length > 0 && sql`(${join(named, " and ")})`,
  ])
}
