import { once } from "node:events"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import type { ExportFormat } from "../../../../modules/payment-service/models/entries"
import { reasonOf } from "../../../../modules/payment-service/reason-of"
import { csvFile } from "../../../../workflows/exports/csv-file"
import { contentDisposition, type FileContent } from "../../../../workflows/exports/file-name"
import { jsonFile } from "../../../../workflows/exports/json-file"
import type { Reader, Table } from "../../../../workflows/exports/table"
import { xlsxFile } from "../../../../workflows/exports/xlsx-file"

/** A longer export is broken off. */
const LONGEST_MS = 2 * 60 * 60_000

/** A source of rows, and the forms in which a file has them. */
interface Exported<Found, Row> extends Omit<FileContent, "format"> {
  /** No more batches are fetched once `signal` has aborted. */
  batches: (signal: AbortSignal) => AsyncIterable<Found[]>
  table: Table<Row>
  asLines: (found: Found[]) => Promise<Row[]>
  /** The form of the rows in JSON. */
  asRecords: (found: Found[]) => Promise<unknown[]>
}

/**
 * Streams a file to the admin, and records the export. An error before the first rows is answered in words; a later one breaks the
 * connection, so that no part of a file looks like the whole.
 */
export async function sendFile<Found, Row>(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse,
  format: ExportFormat,
  reader: Reader,
  { source, from, to, batches, table, asLines, asRecords }: Exported<Found, Row>
): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const gone = new AbortController()
  res.once("close", () => gone.abort())
  if (res.closed) gone.abort()
  const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(LONGEST_MS)])
  const isJson = format === "json"
  let count = 0
  const shown = async function* () {
    for await (const found of batches(signal)) {
      const rows = await (isJson ? asRecords(found) : asLines(found))
      count += rows.length
      yield rows
    }
  }
  // One batch is fetched while the one before is written.
  const rows = Readable.from(shown(), { highWaterMark: 1 })
  // Its reader gets its error; without this handler, an error after the admin is gone would end the process.
  rows.on("error", () => undefined)
  const written = () =>
    isJson ? jsonFile(rows) : (format === "csv" ? csvFile : xlsxFile)<Row>(rows, table, reader)
  const record = async (outcome: "complete" | "canceled" | "failed") => {
    const [by, at] = [req.auth_context.actor_id, module.clock.now()]
    await module.createExportRecords({ by, source, format, from, to, rows: count, outcome, at })
  }
  try {
    await once(rows, "readable", { signal })
    res.type(format).set({
      "Content-Disposition": contentDisposition({ source, format, from, to }, reader),
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      // A dashboard on another host needs the name.
      "Access-Control-Expose-Headers": "Content-Disposition",
    })
    await pipeline(written(), res, { signal, end: false })
    // The file is whole only with its end, so that none goes out unrecorded.
    await record("complete")
    res.end()
  } catch (error) {
    const isGone = gone.signal.aborted
    if (res.headersSent) res.destroy()
    await record(isGone ? "canceled" : "failed")
    if (isGone) return
    module.logger.warn(`An export broke off after ${count} rows: ${reasonOf(error)}`)
    if (!res.headersSent) throw error
  } finally {
    rows.destroy()
  }
}
