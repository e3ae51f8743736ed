import type { AuthenticatedMedusaRequest, MedusaResponse } from "@medusajs/framework/http"

import { findOrderNumbers } from "../../../../medusa/search"
import { paymentServiceModule } from "../../../../modules/payment-service"
import type { ExportFormat } from "../../../../modules/payment-service/models/export-record"
import { serviceLines, serviceRecords } from "../../../../workflows/exports/service-rows"
import { storeLines, storeRows } from "../../../../workflows/exports/store-rows"
import { readerOf } from "../../../../workflows/exports/table"
import { TRANSACTIONS } from "../../../../workflows/exports/transaction-table"
import { inReadersLanguage } from "../in-readers-language"
import { queryOf } from "../query-fields"
import { merchantOf, questionOf } from "../service-transactions/merchant-of"
import { recordSearch, transactionFilter } from "../transactions/search-terms"
import { listedTransaction } from "../transactions/transaction-view"
import { sendFile } from "./send-file"
import type { ServiceExportQuery, TransactionExportQuery } from "./validators"

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
      table: TRANSACTIONS,
      rows: () => storeLines(req.scope, filter, reader),
      records: async function* () {
        for await (const rows of storeRows(req.scope, filter)) {
          const orderIds = rows.map(({ order_id }) => order_id)
          const numbers = await findOrderNumbers(req.scope, orderIds)
          yield rows.map((row) => listedTransaction(row, numbers))
        }
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
  const accounts = await paymentServiceModule(req.scope).accounts()
  const merchant = merchantOf(accounts, query.account)
  const task = {
    container: req.scope,
    accounts,
    merchant,
    question: questionOf(merchant, query),
    filter: {
      search: query.q ? await recordSearch(req.scope, query.q) : undefined,
      known: query.known,
      status: query.status_name,
    },
  }
  await sendFile(req, res, format, readerOf(query.locale, query.time_zone), {
    source: "service",
    from: query.from,
    to: query.to,
    table: TRANSACTIONS,
    rows: (signal) => serviceLines(task, signal),
    records: (signal) => serviceRecords(task, signal),
  })
}
