import { randomUUID } from "node:crypto"

import { generateEntityId } from "@medusajs/framework/utils"

import type { Clock } from "../../database/clock"
import { writingEvent } from "../../database/outbox"
import {
  assignments,
  columnsAndValues,
  type InTransaction,
  join,
  jsonb,
  type RunSql,
  sql,
  type Sql,
  Statements,
} from "../../database/sql"
import type { PayoutEntryRow, PayoutRow } from "../../modules/payment-service/tables"
import { enter } from "../../payments/statements/ledger"
import { isBeingCompleted } from "../../payments/statements/transactions"
import { causeOfPayout } from "../../problems/rules/problems"
import { closingWhere } from "../../problems/statements/problems-in-sql"
import { notFound } from "../../refusals/refused"
import { text } from "../../texts"
import { maskedCard, withoutCardNumbers } from "../rules/card-text"
import {
  PAYOUT_CURRENCY,
  type PayoutEntryKind,
  type PayoutFacts,
  type StoreFacts,
} from "../rules/payout"
import { RefundPayouts } from "./payout-list"

export const PAYOUT_USERS_CHANGED = "payment_service.payout_users_changed"

const BOOK_LATER_MS = 60_000

/** The id of a payout that is to be made. */
export const newPayoutId = () => generateEntityId("", "pspo")

/** The admin who acts on a payout. */
export interface PayoutActor {
  id: string
  name: string
  /** The address of the connection, which nobody can choose. */
  address: string | null
  /** The address that a header named instead; only a proxy that overwrites the header makes it true. */
  forwardedAddress: string | null
}

/** Columns of a payout; those that are not given keep what they have, or their defaults. */
type Columns = Partial<Omit<PayoutRow, "reason_facts">> & { reason_facts?: object | null }

/** The person who has stopped all payouts, and when. */
export type Stop = Pick<PayoutEntryRow, "at" | "by" | "by_name">

/** Statements about payouts, alone or in one transaction. */
class PayoutStatements extends Statements {
  /** The part of a day's limit that payouts have used up, in whole rubles. What was not sent uses up nothing. */
  async usedOn(day: string): Promise<number> {
    const [{ used }] = await this.run<[{ used: number }]>`
      select coalesce(sum(amount), 0)::float8 as used from payment_service_payout
      where limit_day = ${day} and state in ('sending', 'created', 'unknown', 'marked_sent')
        and deleted_at is null`
    return used
  }

  /** The stop of all payouts that holds now; null when there is none, or somebody has lifted it. */
  async stop(): Promise<Stop | null> {
    const [latest] = await this.run<(Stop & { kind: string })[]>`
      select kind, at, by, by_name from payment_service_payout_entry
      where payout_id is null and kind in ('stopped', 'resumed') and deleted_at is null
      order by at desc, id desc limit 1`
    return latest?.kind === "stopped" ? latest : null
  }

  async enter(
    payoutId: string | null,
    kind: PayoutEntryKind | keyof StoreFacts,
    facts: object,
    by: PayoutActor | null
  ): Promise<void> {
    const columns = {
      id: generateEntityId("", "pspoe"),
      payout_id: payoutId,
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
  /** The payouts that pay money back, as this transaction sees them. */
  readonly refundPayouts = new RefundPayouts(this.run)

  constructor(
    run: RunSql,
    clock: Clock,
    public row: PayoutRow
  ) {
    super(run, clock)
  }

  /** Changes the row, and reads it again. */
  async update({ reason_facts, ...columns }: Columns): Promise<void> {
    const changed = { ...columns, reason_facts: reason_facts && jsonb(reason_facts) }
    const [row] = await this.run<[PayoutRow]>`
      update payment_service_payout set ${assignments(changed)}, updated_at = now()
      where id = ${this.row.id} returning *`
    this.row = row
  }

  /** The wrong card numbers that were typed for it. */
  async countWrongNumbers(): Promise<number> {
    const [{ count }] = await this.run<[{ count: number }]>`
      select count(*)::int as count from payment_service_payout_entry
      where payout_id = ${this.row.id} and kind = 'wrong_number' and deleted_at is null`
    return count
  }

  async note<Kind extends PayoutEntryKind>(
    kind: Kind,
    facts: PayoutFacts[Kind],
    by: PayoutActor | null
  ): Promise<void> {
    await this.enter(this.row.id, kind, facts, by)
  }

  /** Writes the payout's refund proof, if it pays something back, and when that is to be booked at the latest. */
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
    await this.bookLater()
  }

  /** The refund is booked at once or, if its process dies or fails, by the watcher a minute from now. */
  async bookLater(): Promise<void> {
    await this.update({ to_book_at: new Date(this.now.getTime() + BOOK_LATER_MS) })
  }

  /**
   * Excludes a transaction's money from automatic settling exactly while payouts pay it back, because no order may be placed for it
   * then. It follows from the payouts as they are now, whatever they were. Money that a person took care of stays excluded.
   *
   * @returns false, and writes nothing, when Medusa has the money by now, or while core may be completing a cart with money that is
   * about to be paid back (`isClaim`): core would not ask for money again that it took in an earlier completion
   */
  async followMoney({ isClaim = false } = {}): Promise<boolean> {
    const { transaction_row_id: rowId } = this.row
    if (rowId === null) return true
    // A separate statement takes the lock, so that the next one sees everything that was committed during the wait. A completion
    // may mark any transaction of the cart.
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

  /** Closes the problem of an unknown payout whose outcome is known now. */
  async closeUnknown(): Promise<void> {
    await this.run(closingWhere(sql`p.cause = ${causeOfPayout(this.row.id)}`, this.now))
  }

  /** Writes the event with the payout's present state. */
  async publish(): Promise<void> {
    const { row } = this
    const data = { payout_id: row.id, ...shownFacts(row), reason: row.reason_code }
    const name = `payment_service.payout_${row.state}`
    await this.run(writingEvent({ name, data: jsonb(data), at: this.now }))
  }
}

/** The facts of a payout that events have, and admins see. */
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

/** The facts of a payout that its journal keeps with each change. */
export function cardFacts(row: PayoutRow): PayoutFacts["made"] {
  return { amount: row.amount, card: maskedCard(row.card_last4), note: row.note }
}

/** The last entry in the journal of one of several payouts. */
export type LastEntry = Pick<PayoutEntryRow, "at" | "by" | "by_name"> & {
  payout_id: string
  kind: PayoutEntryKind
}

/** SQL condition on payouts `p`: the request is surely over without an answer, because its process died. */
export const isLost = (now: Date) =>
  sql`p.state = 'sending' and p.answer_by <= ${now} and p.deleted_at is null`

/** SQL condition on payouts `p`: unknown since before a moment, and without an open problem. */
export const isUnknownSince = (moment: Date) =>
  sql`p.state = 'unknown' and p.sent_at <= ${moment} and p.deleted_at is null
    and not exists (select 1 from payment_service_problem known
      where known.cause = 'payout:' || p.id and known.closed_at is null and known.deleted_at is null)`

/** SQL condition on payouts `p`: its refund is to be booked, because the process that sent it has not done so. */
export const isToBeBooked = (now: Date) => sql`p.to_book_at <= ${now} and p.deleted_at is null`

const MOST_AT_ONCE = 100

/** The only writer of payouts. Each change is decided on the locked row and committed with its journal and its event. */
export class Payouts extends PayoutStatements {
  constructor(
    run: RunSql,
    private readonly inTransaction: InTransaction,
    clock: Clock
  ) {
    super(run, clock)
  }

  async get(id: string): Promise<PayoutRow> {
    const [row] = await this.run<PayoutRow[]>`
      select * from payment_service_payout where id = ${id} and deleted_at is null`
    if (!row) throw noPayout(id)
    return row
  }

  /** Payouts that meet one of the conditions above. */
  async find(condition: Sql): Promise<PayoutRow[]> {
    return await this.run`
      select p.* from payment_service_payout p where ${condition} limit ${MOST_AT_ONCE}`
  }

  /** The last entry in the journal of each of these payouts, by the payout's id. */
  async lastEntriesOf(ids: string[]): Promise<Map<string, LastEntry>> {
    const entries = await this.run<LastEntry[]>`
      select distinct on (payout_id) payout_id, at, kind, by, by_name from payment_service_payout_entry
      where payout_id in (${join(ids)}) and deleted_at is null order by payout_id, at desc, id desc`
    return new Map(entries.map((entry) => [entry.payout_id, entry]))
  }

  /** Writes a new payout and its first entry. */
  async make(payout: Omit<Columns, "reason_facts">, by: PayoutActor): Promise<PayoutRow> {
    const columns = { idempotency_key: randomUUID(), made_at: this.clock.now(), ...payout }
    return await this.inTransaction(async (run) => {
      const [row] = await run<[PayoutRow]>`
        insert into payment_service_payout ${columnsAndValues(columns)} returning *`
      await new PayoutStatements(run, this.clock).enter(row.id, "made", cardFacts(row), by)
      return row
    })
  }

  /**
   * Changes a payout with its row locked.
   *
   * @param within `alone` for a change that depends on other payouts (the day's limit) or on the stop
   */
  async change<T>(
    id: string,
    work: (payout: LockedPayout) => Promise<T>,
    within = this.inTransaction
  ): Promise<T> {
    return await within(async (run) => {
      const [row] = await run<PayoutRow[]>`
        select * from payment_service_payout where id = ${id} and deleted_at is null for update`
      if (!row) throw noPayout(id)
      return await work(new LockedPayout(run, this.clock, row))
    })
  }

  /** A transaction that waits for others of its kind, on all instances. Its lock comes before a row's, so that two never deadlock. */
  readonly alone: InTransaction = (work) =>
    this.inTransaction(async (run) => {
      await run`select pg_advisory_xact_lock(hashtext('payment_service_payout'), 1)`
      return await work(run)
    })

  /** Sets the stop, which every claim and every request that is made later sees, or lifts it. A stop waits for no claim. */
  async setStopped(isStopped: boolean, by: PayoutActor): Promise<void> {
    const set = async (run: RunSql) => {
      const statements = new PayoutStatements(run, this.clock)
      if (((await statements.stop()) !== null) === isStopped) return
      await statements.enter(null, isStopped ? "stopped" : "resumed", {}, by)
    }
    await (isStopped ? set(this.run) : this.alone(set))
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
      const facts: StoreFacts["users_changed"] = { users, added, removed }
      await new PayoutStatements(run, this.clock).enter(null, "users_changed", facts, null)
      const named = (ids: string[]) => ids.join(", ") || "–"
      const names = { added: named(added), removed: named(removed) }
      const messages = text("payoutNotices", "users_changed", names)
      const data = jsonb({ ...facts, message: messages.en, messages })
      await run(writingEvent({ name: PAYOUT_USERS_CHANGED, data, at: this.clock.now() }))
    })
  }
}

/** The id comes from an address, into which somebody may have typed a card number. */
const noPayout = (id: string) => notFound("no_payout", withoutCardNumbers(id))
