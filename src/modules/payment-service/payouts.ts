import { randomUUID } from "node:crypto"

import { generateEntityId, MedusaError } from "@medusajs/framework/utils"

import type { RowId } from "../../settlement/ids"
import { maskedCard } from "../../settlement/payouts/card-text"
import { type HeldLimits, SIMILAR_MS } from "../../settlement/payouts/limits"
import {
  PAYOUT_CURRENCY,
  type PayoutEntryKind,
  type PayoutFacts,
} from "../../settlement/payouts/payout"
import type { Clock } from "./clock"
import {
  closeUnknown,
  heldForRefund,
  leaveMoneyAlone,
  leaveMoneyAloneAgain,
  lookAfterMoney,
  proveRefund,
} from "./refund-payouts"
import {
  assignments,
  columnsAndValues,
  empty,
  type InTransaction,
  join,
  jsonb,
  type RunSql,
  sql,
  type Sql,
} from "./sql"
import type { PayoutEntryRow, PayoutRow } from "./tables"

/** The admin who does something with a payout. */
export interface PayoutActor {
  id: string
  name: string
  /** The address from which they do it. */
  address: string | null
}

type Journaled = Pick<PayoutEntryRow, "id" | "at" | "kind" | "facts" | "by" | "by_name" | "address">
/** An entry of the journal of one of several payouts. */
export type JournaledPayout = Journaled & Pick<PayoutEntryRow, "payout_id">

/** The columns of a new payout; the others have their defaults. */
export type NewPayout = Pick<
  PayoutRow,
  | "state"
  | "account"
  | "base_url"
  | "merchant_id"
  | "amount"
  | "card_id"
  | "card_last4"
  | "card_brand"
  | "card_label"
  | "note"
  | "order_id"
  | "problem_id"
  | "transaction_row_id"
  | "limit_day"
  | "held_until"
  | "made_by"
  | "made_by_name"
>
type Changed = Partial<Omit<PayoutRow, "id" | "created_at" | "updated_at" | "reason_facts">> & {
  reason_facts?: object | null
}

/** Which payouts count as similar to one: of the same amount to the same card. */
export type SimilarTo = Pick<PayoutRow, "amount" | "card_id" | "card_last4">

const MOST_ENTRIES = 500

/** All that hold something of a day's limits wait for each other here, on all instances. */
const LIMITS_LOCK = sql`select pg_advisory_xact_lock(hashtext('payment_service_payout'), 1)`

/** In SQL: a request that is surely over without an answer, because its process is gone. */
export const isLost = (now: Date) =>
  sql`state = 'sending' and answer_by <= ${now} and deleted_at is null`

/** In SQL: payouts `p` of which nobody has known since a moment whether they went through, and that are no problem yet. */
export const isUnknownSince = (moment: Date) =>
  sql`p.state = 'unknown' and p.sent_at <= ${moment} and p.deleted_at is null
    and not exists (select 1 from payment_service_problem known
      where known.cause = 'payout:' || p.id and known.closed_at is null and known.deleted_at is null)`

/** The only writer of payouts. Each change is decided on the locked row and committed with its journal and its event. */
export class Payouts {
  constructor(
    private readonly run: RunSql,
    private readonly inTransaction: InTransaction,
    private readonly clock: Clock
  ) {}

  /** @throws MedusaError `NOT_FOUND` */
  async get(id: string): Promise<PayoutRow> {
    const [row] = await this.run<PayoutRow[]>(
      sql`select * from payment_service_payout where id = ${id} and deleted_at is null`
    )
    return row ?? notFound(id)
  }

  /** The journal of a payout, oldest first. */
  async journalOf(id: string): Promise<Journaled[]> {
    const entries = await this.run<Journaled[]>(
      sql`select id, at, kind, facts, by, by_name, address from payment_service_payout_entry
       where payout_id = ${id} and deleted_at is null order by at desc, id desc limit ${MOST_ENTRIES}`
    )
    return entries.reverse()
  }

  /** The journals of some payouts, in the order of these; each oldest first. */
  async journalsOf(ids: string[]): Promise<JournaledPayout[]> {
    if (!ids.length) return []
    const entries = await this.run<JournaledPayout[]>(
      sql`select payout_id, id, at, kind, facts, by, by_name, address from payment_service_payout_entry
       where payout_id in (${join(ids)}) and deleted_at is null order by payout_id, at, id`
    )
    const byPayout = new Map<string, JournaledPayout[]>(ids.map((id) => [id, []]))
    for (const entry of entries) byPayout.get(entry.payout_id)?.push(entry)
    return [...byPayout.values()].flat()
  }

  /** Works with the limits while nobody else, on any instance, takes anything of them. */
  async withLimits<T>(work: (payouts: PayoutTransaction) => Promise<T>): Promise<T> {
    return await this.inTransaction(async (run) => {
      await run(LIMITS_LOCK)
      return await work(new PayoutTransaction(run, this.clock))
    })
  }

  /**
   * Changes a payout while nobody else does.
   *
   * @param takes whether something of the limits may be taken
   * @throws MedusaError `NOT_FOUND`
   */
  async change<T>(
    id: string,
    work: (payout: LockedPayout) => Promise<T>,
    { takesLimits = false } = {}
  ): Promise<T> {
    return await this.inTransaction(async (run) => {
      // Before the row, so that two changes never wait for each other.
      if (takesLimits) await run(LIMITS_LOCK)
      const [row] = await run<PayoutRow[]>(
        sql`select * from payment_service_payout where id = ${id} and deleted_at is null for update`
      )
      return await work(new LockedPayout(run, this.clock, row ?? notFound(id)))
    })
  }

  /** The part of a day's limits that is held, by all and by one user. */
  async held(day: string, userId: string): Promise<HeldLimits> {
    return await heldOf(this.run, { day, userId, now: this.clock.now(), except: null })
  }

  /** The payouts whose process is gone. */
  async findLost(): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>(
      sql`select id from payment_service_payout where ${isLost(this.clock.now())} order by answer_by limit 100`
    )
    return rows.map(({ id }) => id)
  }

  /** The payouts that have been unknown for so long that they are a problem, and are none yet. */
  async findUnknown(sentBefore: Date): Promise<string[]> {
    const rows = await this.run<{ id: string }[]>(
      sql`select p.id from payment_service_payout p where ${isUnknownSince(sentBefore)} order by p.sent_at limit 100`
    )
    return rows.map(({ id }) => id)
  }
}

/** Statements about payouts in one transaction. */
export class PayoutTransaction {
  readonly now: Date

  constructor(
    protected readonly run: RunSql,
    clock: Clock
  ) {
    this.now = clock.now()
  }

  /** Writes a new payout and its first entry. */
  async insert(payout: NewPayout, by: PayoutActor): Promise<PayoutRow> {
    const id = generateEntityId("", "pspo")
    const columns = { id, idempotency_key: randomUUID(), made_at: this.now, ...payout }
    const [row] = await this.run<[PayoutRow]>(
      sql`insert into payment_service_payout ${columnsAndValues(columns)} returning *`
    )
    await this.enter(id, "made", cardFacts(row), by)
    return row
  }

  async held(day: string, userId: string, except: string | null): Promise<HeldLimits> {
    return await heldOf(this.run, { day, userId, now: this.now, except })
  }

  /** Whether there is a payout of the same amount to the same card that somebody made or sent a moment ago. */
  async hasSimilar({ amount, card_id, card_last4 }: SimilarTo, except: string | null) {
    if (card_id === null && card_last4 === null) return false
    const since = new Date(this.now.getTime() - SIMILAR_MS)
    const [found] = await this.run<{ id: string }[]>(
      sql`select id from payment_service_payout
       where amount = ${amount} and deleted_at is null
         and (card_id = ${card_id} or card_last4 = ${card_last4})
         and state not in ('rejected', 'discarded', 'marked_not_sent')
         and (made_at > ${since} or sent_at > ${since})
         ${except === null ? empty : sql`and id <> ${except}`} limit 1`
    )
    return found !== undefined
  }

  /** How much other payouts hold of a transaction's money that is to be paid back, in whole rubles. */
  async heldForRefund(rowId: RowId, except: string | null): Promise<number> {
    return await heldForRefund(this.run, rowId, except)
  }

  protected async enter<Kind extends PayoutEntryKind>(
    payoutId: string,
    kind: Kind,
    facts: PayoutFacts[Kind],
    by: PayoutActor | null
  ): Promise<void> {
    const columns = {
      id: generateEntityId("", "pspoe"),
      payout_id: payoutId,
      at: this.now,
      kind,
      facts: jsonb(facts),
      by: by?.id ?? null,
      by_name: by?.name ?? null,
      address: by?.address ?? null,
    }
    await this.run(sql`insert into payment_service_payout_entry ${columnsAndValues(columns)}`)
  }
}

/** A payout whose row nobody else can change until the transaction ends. */
export class LockedPayout extends PayoutTransaction {
  constructor(
    run: RunSql,
    clock: Clock,
    public row: PayoutRow
  ) {
    super(run, clock)
  }

  async update({ reason_facts, ...columns }: Changed): Promise<PayoutRow> {
    const facts: Record<string, Sql | null> =
      reason_facts === undefined ? {} : { reason_facts: reason_facts && jsonb(reason_facts) }
    const [row] = await this.run<[PayoutRow]>(
      sql`update payment_service_payout set ${assignments({ ...columns, ...facts })}, updated_at = now()
       where id = ${this.row.id} returning *`
    )
    this.row = row
    return row
  }

  async note<Kind extends PayoutEntryKind>(
    kind: Kind,
    facts: PayoutFacts[Kind],
    by: PayoutActor | null
  ): Promise<void> {
    await this.enter(this.row.id, kind, facts, by)
  }

  /** Writes down that the refund of its problem, if it is for one, is proved. */
  async proveRefund(): Promise<void> {
    await proveRefund(this.run, this.row, this.now)
  }

  /** From now on no order is placed for the money of this transaction, which is to be paid out. */
  async leaveMoneyAlone(rowId: RowId): Promise<void> {
    await leaveMoneyAlone(this.run, rowId, this.now)
  }

  /** The payout did not come about, so its problem's money is looked after again. */
  async lookAfterMoney(): Promise<void> {
    await lookAfterMoney(this.run, this.row, this.now)
  }

  /** The payout came about after all, so its problem's money is left alone again. */
  async leaveMoneyAloneAgain(): Promise<void> {
    await leaveMoneyAloneAgain(this.run, this.row, this.now)
  }

  /** It is known now what became of it. */
  async closeUnknown(): Promise<void> {
    await closeUnknown(this.run, this.row.id, this.now)
  }

  /** Whether another payout has this id of the service's. */
  async isTaken(withdrawalRecordId: string): Promise<boolean> {
    const rows = await this.run<unknown[]>(
      sql`select 1 from payment_service_payout where withdrawal_record_id = ${withdrawalRecordId}
         and id <> ${this.row.id} and deleted_at is null limit 1`
    )
    return rows.length > 0
  }

  /** Writes the event that tells of the payout's state as it is now. */
  async publish(): Promise<void> {
    const { row } = this
    const id = generateEntityId("", "psevt")
    const data = {
      id,
      payout_id: row.id,
      state: row.state,
      account: row.account,
      merchant_id: row.merchant_id,
      amount: row.amount,
      currency: PAYOUT_CURRENCY,
      amount_usdt: row.amount_usdt,
      card_masked: maskedCard(row.card_last4),
      withdrawal_record_id: row.withdrawal_record_id,
      reason: row.reason_code,
      order_id: row.order_id,
      problem_id: row.problem_id,
      transaction_row_id: row.transaction_row_id,
    }
    await this.run(
      sql`insert into payment_service_event (id, name, data, written_at, send_at)
       values (${id}, ${`payment_service.payout_${row.state}`}, ${jsonb(data)},
         ${this.now}, ${this.now})`
    )
  }
}

/** The facts of a payout that its journal keeps at each change. */
export function cardFacts(row: PayoutRow): PayoutFacts["made"] {
  return { amount: row.amount, card: maskedCard(row.card_last4), note: row.note }
}

/** In SQL: payouts that hold their amount of the limits of their day. */
const holds = (now: Date) =>
  sql`(state in ('awaiting_approval', 'sending', 'created', 'unknown', 'marked_sent')
    or (state = 'draft' and held_until > ${now}))`

async function heldOf(
  run: RunSql,
  { day, userId, now, except }: { day: string; userId: string; now: Date; except: string | null }
): Promise<HeldLimits> {
  const [found] = await run<[HeldLimits]>(
    sql`select coalesce(sum(amount), 0)::float8 as "byAll",
       coalesce(sum(amount) filter (where made_by = ${userId}), 0)::float8 as "byUser"
     from payment_service_payout
     where limit_day = ${day} and deleted_at is null and ${holds(now)}
       ${except === null ? empty : sql`and id <> ${except}`}`
  )
  return found
}

function notFound(id: string): never {
  throw new MedusaError(MedusaError.Types.NOT_FOUND, `There is no payout ${id}.`)
}
