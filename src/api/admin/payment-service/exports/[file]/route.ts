import { once } from "node:events"
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"

import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import * as files from "../../../../../exports"
import type { PaymentServiceModuleService } from "../../../../../modules/payment-service"
import type { ExportRecordRow } from "../../../../../modules/payment-service/tables"
import { filterOf, recordSearch } from "../../../../../payments"
import { payoutFilter, payoutView, person } from "../../../../../payouts"
import { reasonOf } from "../../../../../refusals/refused"
import { type AskedOf, byName, inReadersLanguage, maySeeCustomers } from "../../in-readers-language"
import { merchantOf, questionOf } from "../../merchants"

const LONGEST_MS = 2 * 60 * 60_000
const PAYOUTS_AT_A_TIME = 500
/** So few that Node's short-lived memory holds them until they are written: 200 leave 50 MB for the next full collection of garbage. */
const TRANSACTIONS_AT_A_TIME = 100

/** The store's transactions, as JSON in the form of their list; or the service's own records, as JSON with all that it sent. */
const exportTransactions = (format: ExportRecordRow["format"]) =>
  inReadersLanguage(async (req: AskedOf<"exports/transactions.csv">, module, res) => {
    const { scope: container, validatedQuery: query } = req
    const seesCustomers = await maySeeCustomers(req)
    const reader = { ...files.readerOf(query.locale, query.time_zone), seesCustomers }
    const file = { format, reader, table: files.TRANSACTIONS }
    if (query.source === "service") {
      const accounts = await module.accounts()
      const merchant = merchantOf(accounts, query.account)
      const question = questionOf(merchant, query)
      const client = accounts.client(merchant.accounts[0])
      const search = await recordSearch(container, query.q, seesCustomers)
      const filter = { search, known: query.known, status: query.status_name }
      const task = { container, accounts, merchant, filter, listedAt: module.clock.now() }
      return await sendFile(req, module, res, {
        ...file,
        source: "service",
        from: query.from,
        to: query.to,
        batches: (signal) => client.exportTransactions(question, { signal }),
        asLines: (batch) => files.serviceLines(task, batch, reader),
        asRecords: (batch) => files.selectedRecords(task, batch),
      })
    }
    const { locale, time_zone, ...asked } = query
    const filter = await filterOf(container, asked, seesCustomers)
    return await sendFile(req, module, res, {
      ...file,
      source: "store",
      from: query.from ?? query.paid_from,
      to: query.to ?? query.paid_to,
      batches: () => module.transactionList.all(filter, TRANSACTIONS_AT_A_TIME),
      asLines: (rows) => files.storeLines(container, rows, reader),
      asRecords: async (rows) =>
        (await files.storeLines(container, rows, reader)).map(files.listedLine),
    })
  })

const exportPayouts = (format: ExportRecordRow["format"]) =>
  inReadersLanguage(async (req: AskedOf<"exports/payouts.csv">, module, res) => {
    const { locale, time_zone, ...asked } = req.validatedQuery
    const filter = await payoutFilter(req.scope, asked, await maySeeCustomers(req))
    await sendFile(req, module, res, {
      source: "payouts",
      format,
      reader: files.readerOf(locale, time_zone),
      from: filter.created_at?.gte,
      to: filter.created_at?.lt,
      batches: () => module.payoutList.all(filter, PAYOUTS_AT_A_TIME),
      table: files.PAYOUTS,
      asLines: (rows) => files.exportedPayouts(req.scope, rows),
      // A payout as its list shows it, without the reader's own rights, and with the last entry of its journal.
      asRecords: async (rows) =>
        (await files.exportedPayouts(req.scope, rows)).map(({ last, numbers, ...row }) => {
          const entry = last && { kind: last.kind, at: last.at, by: person(last.by, last.by_name) }
          return { ...payoutView(row, numbers), last_entry: entry }
        }),
    })
  })

interface Exported<Found, Row> extends files.FileContent {
  reader: ReturnType<typeof files.readerOf>
  /** No more batches are fetched once `signal` has aborted. */
  batches: (signal: AbortSignal) => AsyncIterable<Found[]>
  table: files.Table<Row>
  asLines: (found: Found[]) => Promise<Row[]>
  asRecords: (found: Found[]) => Promise<unknown[]>
}

async function sendFile<Found, Row>(
  { auth_context, method }: AuthenticatedMedusaRequest,
  module: PaymentServiceModuleService,
  res: MedusaResponse,
  { reader, batches, table, asLines, asRecords, ...content }: Exported<Found, Row>
): Promise<void> {
  const { format } = content
  // It would read and record a whole export of which nothing goes out.
  if (method === "HEAD") return void res.type(format).end()
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
  const tableFile = format === "csv" ? files.csvFile : files.xlsxFile
  const written = () => (isJson ? files.jsonFile(rows) : tableFile<Row>(rows, table, reader))
  const record = async (outcome: "complete" | "canceled" | "failed") => {
    const [by, at] = [auth_context.actor_id, module.clock.now()]
    await module.createExportRecords({ ...content, by, rows: count, outcome, at })
  }
  try {
    await once(rows, "readable", { signal })
    res.type(format).set({
      "Content-Disposition": files.contentDisposition(content, reader),
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

export const GET = byName({
  "transactions.csv": exportTransactions("csv"),
  "transactions.xlsx": exportTransactions("xlsx"),
  "transactions.json": exportTransactions("json"),
  "payouts.csv": exportPayouts("csv"),
  "payouts.xlsx": exportPayouts("xlsx"),
  "payouts.json": exportPayouts("json"),
})
export { GET as POST }
