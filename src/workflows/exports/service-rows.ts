import type { MedusaContainer } from "@medusajs/framework/types"

import {
  type Accounts,
  paymentServiceModule,
  type TransactionRow,
} from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import { type ExportedTransaction, type OddTransaction, readRecord } from "../../service/schemas"
import { compareRecord, ourReference, rowFinder } from "../../settlement/compare-record"
import { NOTHING } from "../../texts"
import { differenceOfRecord, differenceOfRow, oddRecordText } from "../../settlement/row-in-words"
import { exportOf, type ListingQuestion } from "../listings/merchant-exports"
import { isWanted, type RecordFilter } from "../listings/record-filter"
import { type TransactionLine, withNumbers } from "./transaction-table"

/** The merchant and the selected records of an export. */
interface ServiceExport {
  container: MedusaContainer
  accounts: Accounts
  merchant: ConfiguredMerchantAccount
  question: ListingQuestion
  /** The filters that this store applies to the service's answer. */
  filter: RecordFilter
}

type AnyRecord = ExportedTransaction | OddTransaction

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
  signal: AbortSignal
): AsyncGenerator<TransactionLine[], void, undefined> {
  const listedAt = paymentServiceModule(task.container).clock.now()
  for await (const found of matched(task, signal)) {
    const transactions = found.map(({ record, row }) => ({
      record,
      row,
      difference: differenceIn(task, record, row, listedAt),
    }))
    yield await withNumbers(task.container, transactions)
  }
}

/** The difference between a record and our row or, when the two agree, the exception of the row itself. */
function differenceIn(
  { accounts, merchant }: ServiceExport,
  record: AnyRecord,
  row: TransactionRow | null,
  listedAt: Date
) {
  if ("odd" in record) return oddRecordText(record.odd.field)
  const { statuses } = (row && accounts.findForRow(row)) ?? merchant.accounts[0]
  const difference = compareRecord({ record, row, statuses, listedAt })
  if (difference) return differenceOfRecord(difference, row)
  return row ? differenceOfRow(row) : NOTHING
}

/** The records that the filter leaves, as the service sent them and as they were read, with our rows (`rowFinder`). */
async function* matched(
  { container, accounts, merchant, question, filter }: ServiceExport,
  signal: AbortSignal
) {
  const { recordRows } = paymentServiceModule(container)
  const meant = filter.search && (await recordRows.meantBy(filter.search))
  for await (const batch of exportOf(accounts, merchant, question, signal)) {
    const records = batch.map((wire) => ({ wire, record: readRecord(wire) }))
    const rowOf = rowFinder(
      await recordRows.find(merchant.merchantId, {
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
