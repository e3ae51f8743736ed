import { generateEntityId } from "@medusajs/framework/utils"

import { redact } from "../../service/redact"
import type { Clock } from "./clock"
import { jsonb, type RunSql, sql } from "./sql"

/** An admin's request for an export. */
export interface AskedExport {
  by: string
  /** Transactions from the store or from the service, or payouts. */
  source: "store" | "service" | "payouts" | "payout_journal"
  format: "csv" | "xlsx" | "json"
  name: string
  filters: Record<string, unknown>
}

/** The end of an export; `error` says why it broke off. */
interface EndedExport {
  outcome: "complete" | "canceled" | "failed"
  rows: number
  error: string | null
}

/** Records every export before its first byte, so none goes out unrecorded. */
export class ExportRecords {
  constructor(
    private readonly run: RunSql,
    private readonly clock: Clock
  ) {}

  /** @returns the record's id */
  async begin({ by, source, format, name, filters }: AskedExport): Promise<string> {
    const id = generateEntityId("", "psexp")
    await this.run(
      sql`insert into payment_service_export_record (id, by, source, format, name, filters, started_at)
       values (${id}, ${by}, ${source}, ${format}, ${name}, ${jsonb(filters)}, ${this.clock.now()})`
    )
    return id
  }

  async finish(id: string, { outcome, rows, error }: EndedExport): Promise<void> {
    await this.run(
      sql`update payment_service_export_record set finished_at = ${this.clock.now()}, outcome = ${outcome},
         rows = ${rows}, error = ${error === null ? null : redact(error)}, updated_at = now() where id = ${id}`
    )
  }
}
