import { generateEntityId } from "@medusajs/framework/utils"

import type { RowId } from "../../settlement/ids"
import type { JournalEntry, JournalFacts } from "../../settlement/journal"
import type { Clock } from "./clock"
import { type RunSql, sql } from "./sql"
import type { TransactionRow } from "./tables"

/** The most entries of one transaction that are shown, so that a flood of callbacks does not make a page slow. */
const MOST_SHOWN = 500

/** The journals of transactions: entries are added and read, never changed. */
export class Journal {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** The latest entries of a transaction, oldest first. */
  async of(rowId: RowId): Promise<JournalEntry[]> {
    const entries = await this.run<JournalEntry[]>(
      sql`select at, kind, facts, by from payment_service_journal_entry
       where transaction_row_id = ${rowId} and deleted_at is null order by at desc limit ${MOST_SHOWN}`
    )
    return entries.reverse()
  }

  /** Adds an action of a person that changes no column of the row. */
  async add(rowId: RowId, kind: "checked" | "identified", by: string | null): Promise<void> {
    await this.run(
      sql`insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts, by)
       values (${newId()}, ${rowId}, ${this.clock.now()}, ${kind}, '{}'::jsonb, ${by})`
    )
  }

  /**
   * Adds what an admin did about a problem, and what that has changed of the row since `before`. The time is the database's, as in
   * the trigger's entries, so that it stands behind those about the same change.
   */
  async addDeed(
    before: Pick<TransactionRow, "id" | "handled_at" | "accepted_amount">,
    {
      action,
      problem,
      by,
    }: Pick<JournalFacts["acted"], "action" | "problem"> & { by: string | null }
  ): Promise<void> {
    await this.run(
      sql`insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts, by)
       select ${newId()}, t.id, clock_timestamp(), 'acted', jsonb_strip_nulls(jsonb_build_object(
         'action', ${action}::text, 'problem', ${problem}::text,
         'handled', case when ${before.handled_at === null} and t.handled_at is not null then true end,
         'accepted', case when t.accepted_amount is distinct from ${before.accepted_amount}::text
           then t.accepted_amount end)), ${by}
       from payment_service_transaction t where t.id = ${before.id}`
    )
  }
}

const newId = () => generateEntityId("", "psjou")
