import { generateEntityId } from "@medusajs/framework/utils"

import type { JournalEntry, JournalFacts } from "../../settlement/journal"
import { jsonb, type RunSql, sql } from "./sql"

/** The most entries of one transaction that are shown, so that a flood of callbacks does not make a page slow. */
const MOST_SHOWN = 500

/**
 * The journals of transactions: entries are added and read, never changed. What changes of a row is entered by the table's
 * trigger; the code enters what people do.
 */
export class Journal {
  constructor(private readonly run: RunSql) {}

  /** The latest entries of a transaction, oldest first. */
  async of(rowId: string): Promise<JournalEntry[]> {
    const entries = await this.run<JournalEntry[]>(
      sql`select at, kind, facts, by from payment_service_journal_entry
       where transaction_row_id = ${rowId} and deleted_at is null order by at desc limit ${MOST_SHOWN}`
    )
    return entries.reverse()
  }

  /** Adds what a person did. The time is the database's, as in the entries of the table's trigger. */
  async add<Kind extends "checked" | "identified" | "acted">(
    rowId: string,
    kind: Kind,
    facts: JournalFacts[Kind],
    by: string | null
  ): Promise<void> {
    await this.run(
      sql`insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts, by)
       values (${generateEntityId("", "psjou")}, ${rowId}, clock_timestamp(), ${kind}, ${jsonb(facts)}, ${by})`
    )
  }
}
