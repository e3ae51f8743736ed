import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderNumbers } from "../../medusa/search"
import type { Accounts, PaymentServiceModuleService } from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import type { RecordRow } from "../../modules/payment-service/record-rows"
import type { ExportedTransaction, ExportFilter, OddTransaction } from "../../service/client"
import { readRecord } from "../../service/schemas"
import { WHOLE_UUID } from "../../service/uuid"
import { compareAmounts } from "../../settlement/amount"
import { compareRecord, ourReference, rowFinder } from "../../settlement/compare-record"
import { orderIdsIn, withOrderNumbers } from "../../settlement/problems/order-numbers"
import { NOTHING } from "../../settlement/problems/words"
import { differenceOfRecord, differenceOfRow, oddRecordText } from "../../settlement/row-in-words"
import { exportOf, type ListingQuestion } from "../listings/merchant-exports"
import { isWanted, type RecordFilter } from "../listings/record-filter"
import { inBatchesOf, jsonArray, mapped, prefetchingOne } from "./batches"
import type { ExportedRow } from "./exported-row"
import type { Locale } from "./table"

/**
 * The number of records that are in memory, and looked up, at a time. With fewer, statements cost more than their results. Larger
 * batches survive into V8's old generation, which is collected late: with five hundred, an export of a million records left
 * 300 MB more behind.
 */
const BATCH = 200

/** The merchant and the selected records of an export, and the signal that breaks it off. */
interface ServiceExport {
  container: MedusaContainer
  module: PaymentServiceModuleService
  accounts: Accounts
  merchant: ConfiguredMerchantAccount
  question: ListingQuestion
  /** The filters that this store applies to the service's answer. */
  filter: RecordFilter
  signal: AbortSignal
}

/** A record of the service's list, as specified or not. */
type AnyRecord = ExportedTransaction | OddTransaction

/** A record with our row of it. */
interface Matched<Record> {
  record: Record
  row: RecordRow | null
}

const sent = ({ accounts, merchant, question, signal }: ServiceExport) =>
  exportOf(accounts, merchant, question, signal)

/** The service's records as lines of a table. One that is not as specified has a line, too, which says so. */
export async function* serviceLines(
  task: ServiceExport,
  locale: Locale
): AsyncGenerator<ExportedRow[], void, undefined> {
  const listedAt = task.module.clock.now()
  const records = mapped(sent(task), (batch) => batch.map(readRecord))
  const found = prefetchingOne(matched(task, inBatchesOf(BATCH, records), (record) => record))
  for await (const batch of found) {
    const differences = batch.map(({ record, row }) => differenceIn(task, record, row, listedAt))
    const orderIds = [
      ...batch.flatMap(({ row }) => row?.order_id ?? []),
      ...differences.flatMap(orderIdsIn),
    ]
    const numbers = await findOrderNumbers(task.container, orderIds)
    yield batch.map(({ record, row }, index) => ({
      order_number: numbers.get(row?.order_id ?? "") ?? null,
      transaction_id: record.recordId || null,
      created: record.createdAt,
      time_zone: task.question.timeZone,
      gross: record.amount,
      currency: record.currencyCode,
      method: record.paymentMethod,
      status: record.status,
      description: record.description,
      payload: record.payload,
      session_id: row?.session_id ?? null,
      cart_id: row?.cart_id ?? null,
      customer_id: row?.customer_id ?? null,
      difference: withOrderNumbers(differences[index] ?? NOTHING, numbers)[locale],
    }))
  }
}

/** The difference between a record and our row or, when the two agree, the exception of the row itself. */
function differenceIn(
  { accounts, merchant }: ServiceExport,
  record: AnyRecord,
  row: RecordRow | null,
  listedAt: Date
) {
  if ("odd" in record) return oddRecordText(record.odd.field)
  const account = (row && accounts.findForRow(row)) ?? merchant.accounts[0]
  const difference = compareRecord({ record, row, statuses: account.statuses, listedAt })
  if (difference) return differenceOfRecord(difference, row)
  return row ? differenceOfRow(row) : { en: "", ru: "" }
}

/** A piece of a file, and the number of records in it. */
export interface Piece {
  bytes: Uint8Array
  records: number
}

/** The service's records with all their fields and values. */
export function serviceRecords(task: ServiceExport): AsyncGenerator<Piece, void, undefined> {
  const records = sent(task)
  const found = matched(task, inBatchesOf(BATCH, records), readRecord)
  return jsonArray(
    mapped(found, (batch) => batch.map(({ record }) => Buffer.from(JSON.stringify(record))))
  )
}

/** Records with our rows (`rowFinder`), without those that the filter excludes. */
async function* matched<Source>(
  { module, merchant: { merchantId }, filter }: ServiceExport,
  batches: AsyncIterable<Source[]>,
  recordIn: (source: Source) => AnyRecord | null
): AsyncGenerator<Matched<Source>[], void, undefined> {
  for await (const batch of batches) {
    const records = batch.map((source) => ({ source, record: recordIn(source) }))
    const rows = await module.recordRows.find({
      merchantId,
      keys: records.map(({ record }) => (record && keyOf(record)) ?? ""),
      references: records.map(({ record }) => (record && ourReference(record)) ?? ""),
      ...(filter.search ? { search: filter.search } : {}),
    })
    const rowOf = rowFinder(rows)
    const found: Matched<Source>[] = []
    for (const { source, record } of records) {
      const row = record && rowOf(record)
      const ours = row && { isMeant: row.is_searched === true }
      if (record && isWanted(record, ours, filter)) found.push({ record: source, row })
    }
    yield found
  }
}

/** The key that a transaction of ours would have for this record; null for an odd record whose id is no UUID. */
const keyOf = (record: AnyRecord) =>
  !("odd" in record) || WHOLE_UUID.test(record.recordId) ? record.recordId.toLowerCase() : null
