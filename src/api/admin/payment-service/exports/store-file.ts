import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../../../../modules/payment-service"
import type { ExportFormat } from "../../../../modules/payment-service/export-records"
import {
  afterFirstBatch,
  jsonArray,
  mapped,
  prefetchingOne,
} from "../../../../workflows/exports/batches"
import { TRANSACTIONS } from "../../../../workflows/exports/exported-row"
import { contentDisposition, fileName } from "../../../../workflows/exports/file-name"
import {
  type StoreBatch,
  storeLines,
  storeTransactions,
} from "../../../../workflows/exports/store-rows"
import { tableFile } from "../../../../workflows/exports/table-file"
import { searchTerms } from "../transactions/search-terms"
import { listedTransaction } from "../transactions/transaction-view"
import type { ExportedFile } from "./send-file"
import type { StoreExportQuery } from "./validators"

/**
 * This store's transactions: as a table, or as JSON in the form of their list. Files name customers by their ids alone, because a
 * file goes where the store's rights do not reach.
 */
export async function storeFile(
  container: MedusaContainer,
  { source, locale, time_zone, q, ...filters }: StoreExportQuery,
  format: ExportFormat
): Promise<ExportedFile> {
  const module = paymentServiceModule(container)
  const filter = { ...filters, ...(q ? { search: await searchTerms(container, q) } : {}) }
  const { from, to, paid_from: paidFrom, paid_to: paidTo, ...others } = filters
  const content = {
    ...{ source, format, timeZone: time_zone },
    from,
    to,
    paid: { from: paidFrom, to: paidTo },
    filters: [...Object.values(others).flat(), ...(q ? [q] : [])],
  }
  const asked = { ...filters, ...(q ? { q } : {}), time_zone, locale }
  return {
    asked: { source, format, name: fileName(content, locale), filters: asked },
    contentDisposition: contentDisposition(content, locale),
    write: async () => {
      const batches = prefetchingOne(storeTransactions(module, container, filter))
      return format === "json"
        ? await afterFirstBatch(jsonArray(mapped(batches, asJson)))
        : await tableFile(
            format,
            mapped(batches, storeLines(time_zone, locale)),
            locale,
            TRANSACTIONS
          )
    },
  }
}

const asJson = ({ rows, orderNumbers }: StoreBatch) =>
  rows.map((row) => Buffer.from(JSON.stringify(listedTransaction(row, orderNumbers))))
