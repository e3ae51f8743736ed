import type { MedusaContainer } from "@medusajs/framework/types"

import {
  type Accounts,
  paymentServiceModule,
  type TransactionRow,
} from "../../modules/payment-service"
import type { ConfiguredMerchantAccount } from "../../modules/payment-service/accounts"
import { readRecord } from "../../service/schemas"
import { compareRecord } from "../../settlement/compare-record"
import { NOTHING } from "../../texts"
import { differenceOfRecord, differenceOfRow, oddRecordText } from "../../settlement/row-in-words"
import { isWanted, type RecordFilter } from "../listings/record-filter"
import { withNumbers } from "./transaction-table"

/** A merchant's export, and the filters that this store applies to it. */
interface ServiceExport {
  container: MedusaContainer
  accounts: Accounts
  merchant: ConfiguredMerchantAccount
  filter: RecordFilter
  /** Our rows that the search text means. */
  meant: Set<string>
  /** When the export began. */
  listedAt: Date
}

/** The records that the filter leaves, with all of their fields. Our rows are looked up only where a filter needs them. */
export async function selectedRecords(task: ServiceExport, batch: unknown[]): Promise<unknown[]> {
  const isFiltered = Object.values(task.filter).some((value) => value !== undefined)
  return isFiltered ? (await matching(task, batch)).map(({ wire }) => wire) : batch
}

/** The same as lines of a table. A record that is not as specified has a line, too, which says so. */
export async function serviceLines(task: ServiceExport, batch: unknown[]) {
  const found = await matching(task, batch)
  const transactions = found.map(({ record, row }) => ({
    record,
    row,
    difference: differenceIn(task, record, row),
  }))
  return await withNumbers(task.container, transactions)
}

/** The difference between a record and our row or, when the two agree, the exception of the row itself. */
function differenceIn(
  { accounts, merchant, listedAt }: ServiceExport,
  record: ReturnType<typeof readRecord>,
  row: TransactionRow | null
) {
  if ("odd" in record) return oddRecordText(record.odd.field)
  const { statuses } = (row && accounts.findForRow(row)) ?? merchant.accounts[0]
  const difference = compareRecord({ record, row, statuses, listedAt })
  if (difference) return differenceOfRecord(difference, row)
  return row ? differenceOfRow(row) : NOTHING
}

/** The records that the filter leaves, also as the service sent them (`wire`), with our rows. */
async function matching({ container, merchant, filter, meant }: ServiceExport, batch: unknown[]) {
  const records = batch.map((wire) => ({ wire, record: readRecord(wire) }))
  const rowOf = await paymentServiceModule(container).recordRows.finderFor(
    merchant.merchantId,
    records.map(({ record }) => record)
  )
  return records
    .map((one) => ({ ...one, row: rowOf(one.record) }))
    .filter(({ record, row }) => isWanted(record, row && { isMeant: meant.has(row.id) }, filter))
}
