import type { TransactionSearch } from "../../modules/payment-service/transaction-list"
import type { ExportedTransaction, OddTransaction } from "../../service/schemas"
import { compareSums } from "../../settlement/amount"

/** The possible meanings of a search text; a record is found by any of them. */
export interface RecordSearch extends TransactionSearch {
  /** Part of the record's id, payload or description. `amount` is the record's, the others are of our row. */
  text: string
}

/** Selects records of the service's list, after the service has selected some. */
export interface RecordFilter {
  search?: RecordSearch | undefined
  /** Whether this store has a transaction for the record. */
  known?: boolean | undefined
  /** Statuses as the records have them. */
  status?: string[] | undefined
}

/** @param row our row of the record, if there is one, and whether the search text means it */
export function isWanted(
  record: ExportedTransaction | OddTransaction,
  row: { isMeant: boolean } | null,
  { search, known, status }: RecordFilter
): boolean {
  if (known !== undefined && known !== (row !== null)) return false
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
    row?.isMeant === true
  )
}
