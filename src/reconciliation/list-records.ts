import type { ExportedTransaction, OddTransaction } from "../service/schemas"
import { compareSums, sumOf } from "../values/amount"
import type { ListedRecord } from "./fetch-listing"

/** The possible meanings of a search text; a record is found by any of them. */
export interface RecordSearch {
  /** Part of its id, payload or description. */
  text: string
  /** Its amount: decimal text. */
  amount: string | null
  /** Ids of our rows that the text means. */
  meant: Set<string>
}

/** `known`: whether this store has a transaction for the record. `status`: statuses as the records have them. */
export interface RecordFilter {
  search?: RecordSearch | undefined
  known?: boolean | undefined
  status?: string[] | undefined
}

/** @param rowId our row of the record, if there is one */
export function isWanted(
  record: ExportedTransaction | OddTransaction,
  rowId: string | null,
  { search, known, status }: RecordFilter
): boolean {
  if (known !== undefined && known !== (rowId !== null)) return false
  if (status && (record.status === null || !status.includes(record.status))) return false
  if (!search) return true
  const text = search.text.toLowerCase()
  return (
    [record.recordId, record.payload, record.description].some((one) =>
      one?.toLowerCase().includes(text)
    ) ||
    (search.amount !== null &&
      record.amount !== null &&
      compareSums(record.amount, search.amount) === 0) ||
    (rowId !== null && search.meant.has(rowId))
  )
}

/** The fields by which records may be sorted. Service's times sort as text. */
export const RECORDS_SORTED_BY = {
  created_at: ({ createdAt }: ListedRecord) => createdAt ?? "",
  amount: ({ amount }: ListedRecord) => Number(amount),
  status: ({ status }: ListedRecord) => status,
}

/** The records in order; of equal ones, the later in the list counts as larger. */
export function sortedRecords(
  records: ListedRecord[],
  { by, descending }: { by: keyof typeof RECORDS_SORTED_BY; descending: boolean }
): ListedRecord[] {
  const value = RECORDS_SORTED_BY[by]
  const sorted = records.toSorted((one, other) => {
    const [left, right] = [value(one), value(other)]
    return left < right ? -1 : left > right ? 1 : 0
  })
  return descending ? sorted.reverse() : sorted
}

/** The numbers of records by status, method and currency, and their sums; the largest number first. */
export function totalsOf(records: ListedRecord[]) {
  const groups = new Map<string, [ListedRecord, ...ListedRecord[]]>()
  for (const record of records) {
    const key = JSON.stringify([record.status, record.paymentMethod, record.currencyCode])
    const group = groups.get(key)
    if (group) group.push(record)
    else groups.set(key, [record])
  }
  const totals = [...groups.values()].map((group) => ({
    status: group[0].status,
    method: group[0].paymentMethod,
    currency: group[0].currencyCode,
    count: group.length,
    /** Decimal text. */
    amount: sumOf(group),
  }))
  return totals.toSorted((one, other) => other.count - one.count)
}
