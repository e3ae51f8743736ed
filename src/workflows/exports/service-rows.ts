import type { MedusaContainer } from "@medusajs/framework/types"

import { findOrderNumbers } from "../../medusa/search"
import { type Accounts, paymentServiceModule } from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import type { RecordRow } from "../../modules/payment-service/record-rows"
import { type ExportedTransaction, type OddTransaction, readRecord } from "../../service/schemas"
import { compareRecord, ourReference, rowFinder } from "../../settlement/compare-record"
import { orderIdsIn, withOrderNumbers } from "../../settlement/problems/order-numbers"
import { NOTHING } from "../../settlement/problems/words"
import { differenceOfRecord, differenceOfRow, oddRecordText } from "../../settlement/row-in-words"
import { exportOf, type ListingQuestion } from "../listings/merchant-exports"
import { isWanted, type RecordFilter } from "../listings/record-filter"
import type { Reader } from "./table"
import type { TransactionLine } from "./transaction-table"
import { dateOfText } from "./wall-clock"

/** The merchant and the selected records of an export. */
interface ServiceExport {
  container: MedusaContainer
  accounts: Accounts
  merchant: ConfiguredMerchantAccount
  question: ListingQuestion
  /** The filters that this store applies to the service's answer. */
  filter: RecordFilter
}

/** A record as the service sent it and as it was read, which may be only in part, with our row of it. */
interface Matched {
  wire: unknown
  record: ExportedTransaction | OddTransaction
  row: RecordRow | null
}

/** The service's records with all of their fields. Our rows are looked up only where a filter needs them. */
export async function* serviceRecords(
  task: ServiceExport,
  signal: AbortSignal
): AsyncGenerator<unknown[], void, undefined> {
  const { accounts, merchant, question, filter } = task
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  if (!isFiltered) yield* exportOf(accounts, merchant, question, signal)
  else for await (const found of matched(task, signal)) yield found.map(({ wire }) => wire)
}

/** The service's records as lines of a table. One that is not as specified has a line, too, which says so. */
export async function* serviceLines(
  task: ServiceExport,
  { locale }: Reader,
  signal: AbortSignal
): AsyncGenerator<TransactionLine[], void, undefined> {
  const listedAt = paymentServiceModule(task.container).clock.now()
  for await (const found of matched(task, signal)) {
    const differences = found.map((one) => differenceIn(task, one, listedAt))
    const numbers = await findOrderNumbers(task.container, [
      ...found.map(({ row }) => row && row.order_id),
      ...differences.flatMap(orderIdsIn),
    ])
    yield found.map(({ record, row }, index) => ({
      orderNumber: numbers.get(row?.order_id ?? "") ?? null,
      transactionId: record.recordId || null,
      created: record.createdAt && (dateOfText(record.createdAt) ?? record.createdAt),
      gross: record.amount,
      currency: record.currencyCode,
      method: record.paymentMethod,
      status: record.status,
      description: record.description,
      payload: record.payload,
      row,
      difference: withOrderNumbers(differences[index] ?? NOTHING, numbers)[locale],
    }))
  }
}

/** The difference between a record and our row or, when the two agree, the exception of the row itself. */
function differenceIn(
  { accounts, merchant }: ServiceExport,
  { record, row }: Matched,
  listedAt: Date
) {
  if ("odd" in record) return oddRecordText(record.odd.field)
  const { statuses } = (row && accounts.findForRow(row)) ?? merchant.accounts[0]
  const difference = compareRecord({ record, row, statuses, listedAt })
  if (difference) return differenceOfRecord(difference, row)
  return row ? differenceOfRow(row) : NOTHING
}

/** The records that the filter leaves, with our rows (`rowFinder`). */
async function* matched(
  { container, accounts, merchant, question, filter }: ServiceExport,
  signal: AbortSignal
): AsyncGenerator<Matched[], void, undefined> {
  const { recordRows } = paymentServiceModule(container)
  const meant = filter.search && (await recordRows.meantBy(filter.search))
  for await (const batch of exportOf(accounts, merchant, question, signal)) {
    const records = batch.map((wire) => ({ wire, record: readRecord(wire) }))
    const rowOf = rowFinder(
      await recordRows.find({
        merchantId: merchant.merchantId,
        keys: records.map(({ record }) => record.recordId.toLowerCase()),
        references: records.map(({ record }) => ourReference(record) ?? ""),
      })
    )
    yield records
      .map((one) => ({ ...one, row: rowOf(one.record) }))
      .filter(({ record, row }) =>
        isWanted(record, row && { isMeant: meant?.has(row.id) === true }, filter)
      )
  }
}
