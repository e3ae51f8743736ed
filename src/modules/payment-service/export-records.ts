import { generateEntityId } from "@medusajs/framework/utils"

import { redact } from "../../service/redact"
import type { Clock } from "./clock"
import { jsonb, type RunSql, sql } from "./sql"

/** The question of an export, as somebody asked it. */
export interface AskedExport {
  by: string
  /** Transactions as the store or the service has them, or payouts. */
  source: "store" | "service" | "payouts" | "payout_journal"
  format: "csv" | "xlsx" | "json"
  name: string
  filters: Record<string, unknown>
}

/** How an export has ended; `error` says why it broke off. */
export interface EndedExport {
  outcome: "complete" | "canceled" | "failed"
  rows: number
  error: string | null
}

/** Writes down every export. An export is recorded before its first byte, so none goes out unrecorded. */
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
