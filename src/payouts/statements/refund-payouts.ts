import { join, type RunSql } from "../../database/sql"

/** The sums of payouts that pay a transaction's money back; whole rubles. */
export interface PaidBack {
  /** Created, or said to be. */
  paidOut: number
  /** Being sent, or with unknown outcome. */
  underWay: number
  /** Written down but not sent. */
  drafts: number
}

export const NOTHING_PAID_BACK: PaidBack = { paidOut: 0, underWay: 0, drafts: 0 }

/** The sum of a transaction's money that went back, by payouts or outside. */
export interface GoneBack {
  rowId: string
  currency: string
  /** Decimal text. */
  amount: string
}

/** Payouts that pay money back. */
export class RefundPayouts {
  constructor(private readonly run: RunSql) {}

  /** The sums by the rows' ids; rows without such payouts are left out. */
  async of(rowIds: string[]): Promise<Map<string, PaidBack>> {
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

  /** The sums of a payment's payouts. Under way are those of all these payments: they may pay back the same money. */
  async among(rowIds: string[], rowId: string): Promise<PaidBack> {
    const sums = await this.of(rowIds)
    const underWay = [...sums.values()].reduce((sum, one) => sum + one.underWay, 0)
    return { ...(sums.get(rowId) ?? NOTHING_PAID_BACK), underWay }
  }

  /** The sums that went back, by row and currency. */
  async goneBackOf(rowIds: string[]): Promise<GoneBack[]> {
    if (!rowIds.length) return []
    return await this
      .run`select transaction_row_id as "rowId", upper(currency) as currency, sum(amount::numeric)::text as amount
       from payment_service_ledger_entry
       where transaction_row_id in (${join(rowIds)})
         and kind in ('outside', 'payout') and deleted_at is null
       group by 1, 2`
  }
}
