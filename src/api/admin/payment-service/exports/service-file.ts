import type { MedusaContainer } from "@medusajs/framework/types"

import { paymentServiceModule } from "../../../../modules/payment-service"
import type { ExportFormat } from "../../../../modules/payment-service/export-records"
import { afterFirstBatch } from "../../../../workflows/exports/batches"
import { TRANSACTIONS } from "../../../../workflows/exports/exported-row"
import { contentDisposition, fileName } from "../../../../workflows/exports/file-name"
import { serviceLines, serviceRecords } from "../../../../workflows/exports/service-rows"
import { tableFile } from "../../../../workflows/exports/table-file"
import { merchantOf, questionOf } from "../service-transactions/merchant-of"
import { recordSearch } from "../transactions/search-terms"
import type { ExportedFile } from "./send-file"
import type { ServiceExportQuery } from "./validators"

/**
 * The service's own records of a period: as a table with this store's facts about them, or as JSON exactly as the service sent
 * them.
 */
export async function serviceFile(
  container: MedusaContainer,
  { source, locale, ...query }: ServiceExportQuery,
  format: ExportFormat
): Promise<ExportedFile> {
  const module = paymentServiceModule(container)
  const accounts = await module.accounts()
  const merchant = merchantOf(accounts, query.account)
  const question = questionOf(merchant, query)
  const {
    q,
    known,
    status_name: names,
    from,
    to,
    time_zone,
    status = [],
    method = [],
    account,
  } = query
  const filter = {
    ...(q ? { search: await recordSearch(container, q) } : {}),
    ...(known === undefined ? {} : { known }),
    ...(names ? { status: names } : {}),
  }
  const content = {
    ...{ source, format, from, to, timeZone: time_zone },
    filters: [
      ...(account === undefined ? [] : [account]),
      ...[...status, ...method, ...(names ?? [])],
      ...(known === undefined ? [] : [known ? "known" : "unknown"]),
      ...(q ? [q] : []),
    ],
  }
  return {
    asked: { source, format, name: fileName(content, locale), filters: { ...query, locale } },
    contentDisposition: contentDisposition(content, locale),
    write: async (signal) => {
      const task = { container, module, accounts, merchant, question, filter, signal }
      return format === "json"
        ? await afterFirstBatch(serviceRecords(task))
        : await tableFile(format, serviceLines(task, locale), locale, TRANSACTIONS)
    },
  }
}
