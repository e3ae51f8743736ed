import { generateEntityId } from "@medusajs/framework/utils"

import { redact } from "../../service/redact"
import type { Refusal } from "../../settlement/problems/refusals"
import type { Clock } from "./clock"
import type { EXPORT_FORMATS, EXPORT_SOURCES } from "./models/export-record"
import { countRows } from "./list-query"
import { jsonb, type RunSql, sql } from "./sql"

export type ExportSource = (typeof EXPORT_SOURCES)[number]
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** An admin's request for an export. */
export interface AskedExport {
  by: string
  source: ExportSource
  format: ExportFormat
  name: string
  filters: Record<string, unknown>
}

/** The end of an export; `refusal` says why it broke off. */
interface EndedExport {
  outcome: "complete" | "canceled" | "failed"
  rows: number
  refusal: Refusal | null
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

  /** The number of all that were asked for, at most `MOST_COUNTED`. */
  async count(): Promise<number> {
    return await countRows(
      this.run,
      sql`select 1 from payment_service_export_record where deleted_at is null`
    )
  }

  async finish(id: string, { outcome, rows, refusal }: EndedExport): Promise<void> {
    await this.run(
      sql`update payment_service_export_record set finished_at = ${this.clock.now()}, outcome = ${outcome},
         rows = ${rows}, error = ${refusal && redact(refusal.detail)}, error_code = ${refusal && refusal.code},
         updated_at = now() where id = ${id}`
    )
  }
}
