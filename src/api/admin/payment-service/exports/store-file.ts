import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../../../../modules/payment-service"
import { afterFirstBatch, prefetchingOne } from "../../../../workflows/exports/batches"
import { TRANSACTIONS } from "../../../../workflows/exports/exported-row"
import { contentDisposition, fileName } from "../../../../workflows/exports/file-name"
import type { Piece } from "../../../../workflows/exports/service-rows"
import {
  type StoreBatch,
  storeLines,
  storeTransactions,
} from "../../../../workflows/exports/store-rows"
import { tableFile } from "../../../../workflows/exports/table-file"
import { searchTerms } from "../transactions/search-terms"
import { listedTransaction } from "../transactions/transaction-view"
import type { ExportedFile, Format } from "./send-file"
import type { StoreExportQuery } from "./validators"

/** This store's transactions: as a table, or as JSON in the form of their list. */
export async function storeFile(
  container: MedusaContainer,
  { source, locale, time_zone, q, ...filters }: StoreExportQuery,
  format: Format
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
        ? await afterFirstBatch(listedAsJson(batches))
        : await tableFile(
            format,
            lines(batches, storeLines(time_zone, locale)),
            locale,
            TRANSACTIONS
          )
    },
  }
}

async function* lines<Line>(batches: AsyncGenerator<StoreBatch>, of: (batch: StoreBatch) => Line) {
  for await (const batch of batches) yield of(batch)
}

async function* listedAsJson(
  batches: AsyncGenerator<StoreBatch>
): AsyncGenerator<Piece, void, undefined> {
  let begin = "["
  for await (const { rows, orderNumbers } of batches) {
    const texts = rows.map((row) => JSON.stringify(listedTransaction(row, orderNumbers)))
    yield { bytes: Buffer.from(begin + texts.join(",\n")), records: rows.length }
    begin = ",\n"
  }
  yield { bytes: Buffer.from(begin === "[" ? "[]" : "]"), records: 0 }
}
