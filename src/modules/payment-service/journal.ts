import { generateEntityId } from "@medusajs/framework/utils"

import type { JournalFacts } from "../../settlement/journal"
import { jsonb, type RunSql, sql } from "./sql"

/**
 * Adds to the journals of transactions, whose entries are never changed. What changes of a row is entered by the table's trigger;
 * the code enters what people do.
 */
export class Journal {
  constructor(private readonly run: RunSql) {}

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
