import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findNumbersFor } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import type { ExportFormat } from "../../../../modules/payment-service/models/entries"
import { readerOf } from "../../../../workflows/exports/table"
import {
  selectedRecords,
  serviceLines,
  storeLines,
  TRANSACTIONS,
} from "../../../../workflows/exports/transaction-rows"
import { exportOf } from "../../../../workflows/listings/merchant-exports"
import { inReadersLanguage } from "../in-readers-language"
import { queryOf } from "../query-fields"
import { merchantOf, questionOf } from "../service-transactions/merchant-of"
import { recordSearch, transactionFilter } from "../transactions/search-terms"
import { listedTransaction } from "../transactions/transaction-view"
import { sendFile } from "./send-file"
import type { ServiceExportQuery, TransactionExportQuery } from "./validators"

/**
 * The number of rows in memory at a time. They are so few that Node's short-lived memory holds them until they are written: 200 rows
 * of a table leave 50 MB that wait for the next full collection of garbage.
 */
const BATCH = 100

/**
 * Makes the route that exports transactions: the store's, as JSON in the form of their list, or the service's own records. Files
 * name customers by their ids alone, because a file goes where the store's rights do not reach.
 */
export const exportTransactions = (format: ExportFormat) =>
  inReadersLanguage(async (req, res) => {
    const query = queryOf(req) as TransactionExportQuery
    if (query.source === "service") {
      await exportRecords(req, res, format, query)
      return
    }
    const reader = readerOf(query.locale, query.time_zone)
    const filter = await transactionFilter(req.scope, query)
    await sendFile(req, res, format, reader, {
      source: "store",
      from: query.from ?? query.paid_from,
      to: query.to ?? query.paid_to,
      batches: () => paymentServiceModule(req.scope).transactionList.all(filter, BATCH),
      table: TRANSACTIONS,
      asLines: (rows) => storeLines(req.scope, rows, reader),
      asRecords: async (rows) => {
        const numbers = await findNumbersFor(req.scope, rows)
        return rows.map((row) => listedTransaction(row, numbers))
      },
    })
  })

/** The service's records of a period: as a table with this store's facts about them, or as JSON with all that the service sent. */
async function exportRecords(
  req: AuthenticatedMedusaRequest,
  res: MedusaResponse,
  format: ExportFormat,
  query: ServiceExportQuery
): Promise<void> {
  const module = paymentServiceModule(req.scope)
  const accounts = await module.accounts()
  const merchant = merchantOf(accounts, query.account)
  const question = questionOf(merchant, query)
  const search = query.q ? await recordSearch(req.scope, query.q) : undefined
  const task = {
    container: req.scope,
    accounts,
    merchant,
    filter: { search, known: query.known, status: query.status_name },
    meant: search ? await module.recordRows.meantBy(search) : new Set<string>(),
    listedAt: module.clock.now(),
  }
  await sendFile(req, res, format, readerOf(query.locale, query.time_zone), {
    source: "service",
    from: query.from,
    to: query.to,
    batches: (signal) => exportOf(accounts, merchant, question, signal),
    table: TRANSACTIONS,
    asLines: (batch) => serviceLines(task, batch),
    asRecords: (batch) => selectedRecords(task, batch),
  })
}
