import { generateEntityId } from "@medusajs/framework/utils"

import type { ProblemAction } from "../../settlement/problems/entry"
import { jsonb, type RunSql, sql } from "./sql"

/** People's deeds about a transaction, each with its facts. */
interface Deeds {
  /** An admin had the service asked. */
  checked: Record<string, never>
  /** An admin entered the service's id, which the reply to the creation had not brought. */
  identified: Record<string, never>
  /** An admin acted on a problem of this kind. */
  acted: { action: ProblemAction; problem: string }
}

/**
 * Adds to the journals of transactions, whose entries are never changed. What changes of a row is entered by the table's trigger;
 * the code enters what people do.
 */
export class Journal {
  constructor(private readonly run: RunSql) {}

  /** Adds what a person did. The time is the database's, as in the entries of the table's trigger. */
  async add<Kind extends keyof Deeds>(
    rowId: string,
    kind: Kind,
    facts: Deeds[Kind],
    by: string | null
  ): Promise<void> {
    await this.run(
      sql`insert into payment_service_journal_entry (id, transaction_row_id, at, kind, facts, by)
       values (${generateEntityId("", "psjou")}, ${rowId}, clock_timestamp(), ${kind}, ${jsonb(facts)}, ${by})`
    )
  }
}
