import { generateEntityId } from "@medusajs/framework/utils"

import { causeOfPayout } from "../../settlement/cause"
import type { RowId } from "../../settlement/ids"
import { maskedCard } from "../../settlement/payouts/card-text"
import { PAYOUT_CURRENCY } from "../../settlement/payouts/payout"
import type { Clock } from "./clock"
import { closingWhere, OPEN } from "./problems"
import { columnsAndValues, empty, join, type RunSql, sql } from "./sql"
import type { PayoutRow } from "./tables"

/** The sums of payouts that pay a transaction's money back; whole rubles. */
export interface PaidBack {
  /** Paid out, and nobody has recorded the refund yet. */
  paidOut: number
  /** Being sent, or nobody knows whether it went through. */
  underWay: number
  /** Written down and not sent. */
  drafts: number
}

export const NOTHING_PAID_BACK: PaidBack = { paidOut: 0, underWay: 0, drafts: 0 }

/** A sum of a transaction's money that went back, by payouts or outside, as somebody has recorded it. */
export interface RecordedBack {
  rowId: RowId
  currency: string
  /** Decimal text. */
  amount: string
}

/** A payout that proves a refund: a person's word counts as much as the service's. */
const PROVES = sql`p.state in ('created', 'marked_sent')`

/** Payouts that pay money back. */
export class RefundPayouts {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** By the rows' ids; rows without such payouts are left out. */
  async of(rowIds: string[]): Promise<Map<string, PaidBack>> {
    if (!rowIds.length) return new Map()
    const found = await paidBackOf(this.run, rowIds, null)
    return new Map(found.map(({ rowId, ...paidBack }) => [rowId, paidBack]))
  }

  /** What went back and is recorded, by row and currency. */
  async recordedOf(rowIds: string[]): Promise<RecordedBack[]> {
    if (!rowIds.length) return []
    return await this.run(
      sql`select transaction_row_id as "rowId", upper(currency) as currency, sum(amount::numeric)::text as amount
       from payment_service_refund_proof
       where transaction_row_id in (${join(rowIds)}) and (kind <> 'payout' or recorded_at is not null)
         and deleted_at is null
       group by 1, 2`
    )
  }

  /** Marks proofs as recorded whose refund Medusa has booked, and whose problem nobody can act on any more. */
  async recordBooked(proofIds: string[]): Promise<void> {
    await this.run(
      sql`update payment_service_refund_proof set recorded_at = ${this.clock.now()}, updated_at = now()
       where id in (${join(proofIds)}) and recorded_at is null`
    )
  }
}

/** How much payouts hold of a transaction's money that is to be paid back, besides the payout `except`. */
export async function heldForRefund(
  run: RunSql,
  rowId: RowId,
  except: string | null
): Promise<number> {
  const [found = NOTHING_PAID_BACK] = await paidBackOf(run, [rowId], except)
  return found.paidOut + found.underWay + found.drafts
}

async function paidBackOf(run: RunSql, rowIds: string[], except: string | null) {
  return await run<(PaidBack & { rowId: RowId })[]>(
    sql`select p.transaction_row_id as "rowId",
       coalesce(sum(p.amount) filter (where ${PROVES} and r.recorded_at is null), 0)::float8 as "paidOut",
       coalesce(sum(p.amount) filter (where p.state in ('sending', 'unknown')), 0)::float8 as "underWay",
       coalesce(sum(p.amount) filter (where p.state in ('draft', 'awaiting_approval')), 0)::float8 as drafts
     from payment_service_payout p
     left join payment_service_refund_proof r on r.payout_id = p.id and r.deleted_at is null
     where p.transaction_row_id in (${join(rowIds)}) and p.deleted_at is null
       ${except === null ? empty : sql`and p.id <> ${except}`}
     group by p.transaction_row_id`
  )
}

/** Writes the proof of the refund that a payout is, if it pays anything back. Once only, however often it is created. */
export async function proveRefund(run: RunSql, row: PayoutRow, now: Date): Promise<void> {
  if (row.transaction_row_id === null) return
  const card = maskedCard(row.card_last4)
  const columns = {
    id: generateEntityId("", "psproof"),
    transaction_row_id: row.transaction_row_id,
    problem_id: row.problem_id,
    payout_id: row.id,
    amount: String(row.amount),
    currency: PAYOUT_CURRENCY,
    kind: "payout",
    note: `Payout ${row.id}${card ? ` to ${card}` : ""}`,
    given_by: row.sent_by ?? row.made_by,
    given_at: now,
  }
  await run(
    sql`insert into payment_service_refund_proof ${columnsAndValues(columns)} on conflict do nothing`
  )
}

/**
 * Nothing is done automatically any more with money that no order took and that is about to be paid out: no settle may
 * place an order for it. The transaction's row is locked from then on also where nothing changes, so that
 * `lookAfterMoney` for another payout sees this one.
 */
export async function leaveMoneyAlone(run: RunSql, rowId: RowId, now: Date): Promise<void> {
  await run(
    sql`update payment_service_transaction
     set handled_at = coalesce(handled_at, ${now}), watch_at = null, updated_at = now()
     where id = ${rowId}`
  )
}

/**
 * A payout did not come about: if no other one holds the money that no order took, and nobody has closed its problem,
 * it is looked after again.
 */
export async function lookAfterMoney(run: RunSql, row: PayoutRow, now: Date): Promise<void> {
  if (row.problem_id === null || row.transaction_row_id === null) return
  // In a statement of its own, so that the next one sees what was committed while this one waited.
  await run(
    sql`select id from payment_service_transaction where id = ${row.transaction_row_id} for update`
  )
  await run(
    sql`update payment_service_transaction t set handled_at = null, watch_at = ${now}, updated_at = now()
     where t.id = ${row.transaction_row_id} and t.handled_at is not null and t.handled_as is null
       and exists (select 1 from payment_service_problem p where p.id = ${row.problem_id} and ${OPEN})
       and not exists (select 1 from payment_service_payout o
         where o.transaction_row_id = t.id and o.id <> ${row.id} and o.problem_id is not null
           and o.state in ('sending', 'unknown', 'created', 'marked_sent') and o.deleted_at is null)`
  )
}

/**
 * A payout went through although somebody had said that it did not, and its money was looked after again: that is over,
 * unless Medusa has taken the money meanwhile.
 */
export async function leaveMoneyAloneAgain(run: RunSql, row: PayoutRow, now: Date): Promise<void> {
  if (row.problem_id === null || row.transaction_row_id === null) return
  await run(
    sql`update payment_service_transaction set handled_at = ${now}, watch_at = null, updated_at = now()
     where id = ${row.transaction_row_id} and handled_at is null and settled_at is null`
  )
}

/** Closes the problem of an unknown payout, which is not unknown any more. */
export async function closeUnknown(run: RunSql, id: string, now: Date): Promise<void> {
  await run(closingWhere(sql`p.cause = ${causeOfPayout(id)}`, now))
}
