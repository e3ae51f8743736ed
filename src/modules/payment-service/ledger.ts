import { generateEntityId } from "@medusajs/framework/utils"

import { causeOfBalance, causeOfRefundDue } from "../../settlement/cause"
import type { Clock } from "./clock"
import { OPEN } from "./problems-in-sql"
import { columnsAndValues, empty, join, type RunSql, sql } from "./sql"
import type { LedgerEntryRow } from "./tables"

type NewEntry = Pick<LedgerEntryRow, "kind" | "amount" | "currency"> & Partial<LedgerEntryRow>

/** The ledgers of orders and payments. They are only added to, and a proof of a refund gets to know that refund. */
export class Ledger {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** The lines of these payments and, if they are named, of their orders; oldest first. */
  async of(rowIds: string[], orderIds: string[] = []): Promise<LedgerEntryRow[]> {
    if (!rowIds.length && !orderIds.length) return []
    const ofOrders = orderIds.length ? sql`or order_id in (${join(orderIds)})` : empty
    return await this.run(
      sql`select * from payment_service_ledger_entry
       where (transaction_row_id in (${join([...rowIds, ""])}) ${ofOrders}) and deleted_at is null
       order by at, id`
    )
  }

  /** Whether people have decided, or are asked, anything about an order's money: most orders go without. */
  async isConcerned(orderId: string): Promise<boolean> {
    const [{ found }] = await this.run<[{ found: boolean }]>(
      sql`select exists (
         select from payment_service_problem p where p.cause in (${causeOfRefundDue(orderId)}, ${causeOfBalance(orderId)}) and ${OPEN})
       or exists (select from payment_service_ledger_entry where order_id = ${orderId})
       or exists (
         select from payment_service_transaction t
         join payment_service_ledger_entry e on e.transaction_row_id = t.id
         where t.order_id = ${orderId}) as found`
    )
    return found
  }

  /** Adds a line. What was said at a problem about money that went back, or by a payout, is there once. */
  async add(entry: NewEntry): Promise<void> {
    const columns = { id: generateEntityId("", "psled"), at: this.clock.now(), ...entry }
    await this.run(
      sql`insert into payment_service_ledger_entry ${columnsAndValues(columns)} on conflict do nothing`
    )
  }

  /** Makes a proof the one of core's refund. Returns false when another refund has it by now. */
  async bind(
    { id, refund_id }: Pick<LedgerEntryRow, "id" | "refund_id">,
    refundId: string
  ): Promise<boolean> {
    const bound = await this.run<unknown[]>(
      sql`update payment_service_ledger_entry set refund_id = ${refundId}
       where id = ${id} and refund_id is not distinct from ${refund_id} returning id`
    )
    return bound.length > 0
  }
}
