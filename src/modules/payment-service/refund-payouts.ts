import { generateEntityId } from "@medusajs/framework/utils"

import { causeOfPayout } from "../../settlement/cause"
import type { RowId } from "../../settlement/ids"
import { maskedCard } from "../../settlement/payouts/card-text"
import { PAYOUT_CURRENCY } from "../../settlement/payouts/payout"
import type { Clock } from "./clock"
import { closingWhere, OPEN } from "./problems-in-sql"
import { columnsAndValues, empty, join, type RunSql, sql } from "./sql"
import type { PayoutRow } from "./tables"

/** The sums of payouts that pay a transaction's money back; whole rubles. */
export interface PaidBack {
  /** Paid out, while nobody has recorded the refund yet. */
  paidOut: number
  /** Being sent, or with unknown outcome. */
  underWay: number
  /** Written down but not sent. */
  drafts: number
}

export const NOTHING_PAID_BACK: PaidBack = { paidOut: 0, underWay: 0, drafts: 0 }

/** The sum of a transaction's money that went back, by payouts or outside, and is recorded. */
export interface RecordedBack {
  rowId: RowId
  currency: string
  /** Decimal text. */
  amount: string
}

/** SQL condition: the payout proves a refund. An admin's statement counts as much as the service's. */
const PROVES = sql`p.state in ('created', 'marked_sent')`

/** Payouts that pay money back. */
export class RefundPayouts {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** The sums by the rows' ids; rows without such payouts are left out. */
  async of(rowIds: string[]): Promise<Map<string, PaidBack>> {
    if (!rowIds.length) return new Map()
    const found = await paidBackOf(this.run, rowIds, null)
    return new Map(found.map(({ rowId, ...paidBack }) => [rowId, paidBack]))
  }

  /** The recorded sums that went back, by row and currency. */
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

  /** Records proofs whose refund Medusa has booked and whose problem is over, so that nobody can act on it any more. */
  async recordBooked(proofIds: string[]): Promise<void> {
    await this.run(
      sql`update payment_service_refund_proof set recorded_at = ${this.clock.now()}, updated_at = now()
       where id in (${join(proofIds)}) and recorded_at is null`
    )
  }
}

/** The sum of a transaction's money that other payouts than `except` pay back or hold for it. */
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

/** Writes the payout's refund proof, if it pays something back; repetitions write nothing. */
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
 * Excludes the transaction's money from automatic settling, because it is about to be paid out and no order may be placed for it.
 * The update always locks the row, so that `resumeAutomaticSettling` for another payout sees this one.
 */
export async function markHandled(run: RunSql, rowId: RowId, now: Date): Promise<void> {
  await run(
    sql`update payment_service_transaction
     set handled_at = coalesce(handled_at, ${now}), watch_at = null, updated_at = now()
     where id = ${rowId}`
  )
}

/**
 * Lets the money be settled automatically again after this payout did not go through, unless another payout holds it or somebody
 * has closed its problem.
 */
export async function resumeAutomaticSettling(
  run: RunSql,
  row: PayoutRow,
  now: Date
): Promise<void> {
  if (row.problem_id === null || row.transaction_row_id === null) return
  // A separate statement takes the lock, so that the next one sees everything that was committed during the wait.
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
 * Sets `handled_at` again for a payout that was created after an admin had marked it as not sent, unless Medusa has taken the
 * money meanwhile.
 */
export async function markHandledAgain(run: RunSql, row: PayoutRow, now: Date): Promise<void> {
  if (row.problem_id === null || row.transaction_row_id === null) return
  await run(
    sql`update payment_service_transaction set handled_at = ${now}, watch_at = null, updated_at = now()
     where id = ${row.transaction_row_id} and handled_at is null and settled_at is null`
  )
}

/** Closes the problem of an unknown payout whose outcome is known now. */
export async function closeUnknown(run: RunSql, id: string, now: Date): Promise<void> {
  await run(closingWhere(sql`p.cause = ${causeOfPayout(id)}`, now))
}
