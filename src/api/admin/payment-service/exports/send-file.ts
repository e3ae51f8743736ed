import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { paymentServiceModule } from "../../../../modules/payment-service"
import type { AskedExport, ExportFormat } from "../../../../modules/payment-service/export-records"
import { refusalOf } from "../../../../modules/payment-service/reason-of"
import type { Piece } from "../../../../workflows/exports/service-rows"

/** A longer export is broken off. */
const LONGEST_MS = 2 * 60 * 60_000

const TYPES: Record<ExportFormat, string> = {
  csv: "text/csv; charset=utf-8",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  json: "application/json; charset=utf-8",
}

/** A file that is to be sent. */
export interface ExportedFile {
  asked: Omit<AskedExport, "by">
  contentDisposition: string
  /**
   * Makes the file's bytes, as fast as they are consumed, and counts the rows in them. It fetches nothing more after `signal` has
   * aborted. An error before the first byte is answered as text.
   */
  write: (signal: AbortSignal) => Promise<AsyncIterable<Piece>>
}

/**
 * Streams a file to the admin and records the export. An error in the middle breaks the connection, so that no part of a file
 * looks like the whole.
 */
export async function sendFile(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse,
  { asked, contentDisposition, write }: ExportedFile
): Promise<void> {
  const { exportRecords, logger } = paymentServiceModule(req.scope)
  const broken = new AbortController()
  const admin = { isGone: false }
  res.once("close", () => {
    admin.isGone = !res.writableFinished
    broken.abort()
  })
  const id = await exportRecords.begin({ ...asked, by: req.auth_context.actor_id })
  const limit = setTimeout(() => broken.abort(), LONGEST_MS)
  let rows = 0
  let isRecorded = false
  const recordEnd = async (error?: unknown) => {
    if (isRecorded) return
    isRecorded = true
    const refusal = error === undefined || admin.isGone ? null : refusalOf(error)
    const outcome = admin.isGone ? "canceled" : refusal ? "failed" : "complete"
    await exportRecords.finish(id, { outcome, rows, refusal })
    if (refusal) logger.warn(`Export ${id} broke off after ${rows} rows: ${refusal.detail}`)
  }
  const counted = async function* (pieces: AsyncIterable<Piece>) {
    try {
      for await (const { bytes, records } of pieces) {
        rows += records
        yield bytes
      }
    } catch (error) {
      // Before the connection breaks, because the dashboard then asks for the reason.
      await recordEnd(error)
      throw error
    }
  }
  try {
    const pieces = counted(await write(broken.signal))
    res.writeHead(200, {
      "Content-Type": TYPES[asked.format],
      "Content-Disposition": contentDisposition,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
      "X-Export-Id": id,
      // A dashboard on another host needs the name and the id.
      "Access-Control-Expose-Headers": "Content-Disposition, X-Export-Id",
    })
    // A piece is as large as a stream's usual buffer; more of them would only wait in memory.
    await pipeline(Readable.from(pieces, { highWaterMark: 1 }), res)
    await recordEnd()
  } catch (error) {
    await recordEnd(error)
    if (!res.headersSent && !admin.isGone) throw error
    res.destroy()
  } finally {
    clearTimeout(limit)
  }
}
