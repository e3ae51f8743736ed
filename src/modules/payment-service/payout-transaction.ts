import { randomUUID } from "node:crypto"

import { generateEntityId } from "@medusajs/framework/utils"

import type { RowId } from "../../settlement/ids"
import { maskedCard } from "../../settlement/payouts/card-text"
import { type HeldLimits, SIMILAR_MS } from "../../settlement/payouts/limits"
import {
  PAYOUT_CURRENCY,
  type PayoutEntryKind,
  type PayoutFacts,
} from "../../settlement/payouts/payout"
import type { Clock } from "./clock"
import { writingEvent } from "./outbox"
import {
  closeUnknown,
  heldForRefund,
  markHandled,
  markHandledAgain,
  proveRefund,
  resumeAutomaticSettling,
} from "./refund-payouts"
import { assignments, columnsAndValues, empty, jsonb, type RunSql, sql, type Sql } from "./sql"
import type { PayoutRow } from "./tables"

/** The admin who acts on a payout. */
export interface PayoutActor {
  id: string
  name: string
  /** The admin's network address. */
  address: string | null
}

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

/** Payouts are similar when they have the same amount and card. */
type SimilarTo = Pick<PayoutRow, "amount" | "card_id" | "card_last4">

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

  /** Whether somebody made or sent a payout of the same amount to the same card a moment ago. */
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

  /** The sum of other payouts that pay this transaction's money back, in whole rubles. */
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

/** A payout whose row is locked until the transaction ends. */
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

  /** Writes the proof of the refund, if the payout pays something back. */
  async proveRefund(): Promise<void> {
    await proveRefund(this.run, this.row, this.now)
  }

  /** Marks the transaction as handled, so that no order is placed for money that is being paid out. */
  async markHandled(rowId: RowId): Promise<void> {
    await markHandled(this.run, rowId, this.now)
  }

  /** Lets the money be settled automatically again, because this payout did not go through. */
  async resumeAutomaticSettling(): Promise<void> {
    await resumeAutomaticSettling(this.run, this.row, this.now)
  }

  /** Marks the transaction as handled again, because this payout was created after all. */
  async markHandledAgain(): Promise<void> {
    await markHandledAgain(this.run, this.row, this.now)
  }

  /** Closes the problem of the unknown payout, whose outcome is known now. */
  async closeUnknown(): Promise<void> {
    await closeUnknown(this.run, this.row.id, this.now)
  }

  /** Whether another payout has this id of the service. */
  async isTaken(withdrawalRecordId: string): Promise<boolean> {
    const rows = await this.run<unknown[]>(
      sql`select 1 from payment_service_payout where withdrawal_record_id = ${withdrawalRecordId}
         and id <> ${this.row.id} and deleted_at is null limit 1`
    )
    return rows.length > 0
  }

  /** Writes the event with the payout's present state. */
  async publish(): Promise<void> {
    const { row } = this
    const data = {
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
    const name = `payment_service.payout_${row.state}`
    await this.run(writingEvent({ name, data: jsonb(data), at: this.now }))
  }
}

/** The facts of a payout that its journal keeps with each change. */
export function cardFacts(row: PayoutRow): PayoutFacts["made"] {
  return { amount: row.amount, card: maskedCard(row.card_last4), note: row.note }
}

/** SQL condition: payouts that use up limits of their day. */
const usesLimits = (now: Date) =>
  sql`(state in ('awaiting_approval', 'sending', 'created', 'unknown', 'marked_sent')
    or (state = 'draft' and held_until > ${now}))`

export async function heldOf(
  run: RunSql,
  { day, userId, now, except }: { day: string; userId: string; now: Date; except: string | null }
): Promise<HeldLimits> {
  const [found] = await run<[HeldLimits]>(
    sql`select coalesce(sum(amount), 0)::float8 as "byAll",
       coalesce(sum(amount) filter (where made_by = ${userId}), 0)::float8 as "byUser"
     from payment_service_payout
     where limit_day = ${day} and deleted_at is null and ${usesLimits(now)}
       ${except === null ? empty : sql`and id <> ${except}`}`
  )
  return found
}
