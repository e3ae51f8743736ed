import { CREATION_UNDER_WAY_MS, LONGEST_LAG_MS } from "../../payments/rules/timing"
import {
  isPaidAndKept,
  meaningOf,
  paidSum,
  standingOf,
  type StatusNames,
  type Transaction,
} from "../../payments/rules/transaction"
import { compareSums } from "../../values/amount"

/** The fields of an exported record that a comparison needs. */
export interface ListedRecord {
  recordId: string
  amount: string
  currencyCode: string
  status: string
  /** Our reference, if the transaction is ours and the export contains it. */
  payload: string | null
}

/** No name or address looks like it, so nobody else's text is kept or looked up. */
const OUR_REFERENCE = /^pstx_[0-9A-HJKMNP-TV-Z]{26}$/

/** The payload of a record, if it is a reference of ours; else null. */
export function ourReference({ payload }: { payload: string | null }): string | null {
  return payload !== null && OUR_REFERENCE.test(payload) ? payload : null
}

/** Finds the row of a record: by our reference, else by the record's id, of which nobody says that it is the transaction's. */
export function rowFinder<Row extends Pick<Transaction, "id" | "transaction_id">>(
  rows: Row[]
): (record: Pick<ListedRecord, "recordId" | "payload">) => Row | null {
  const byId = new Map(rows.map((row): [string, Row] => [row.id, row]))
  const byKey = new Map(rows.map((row) => [row.transaction_id?.toLowerCase(), row]))
  return (record) =>
    byId.get(ourReference(record) ?? "") ?? byKey.get(record.recordId.toLowerCase()) ?? null
}

/**
 * The difference between the service's list and our row.
 *
 * - `not_here`: paid there, and no row of ours belongs to it
 * - `not_bound`: paid there with our reference, but the reply with its id never reached the row
 * - `paid_there`: paid there, but not in our row
 * - `not_paid_there`: paid in our row, but not there
 * - `amount`: paid on both sides, with different sums
 * - `not_settled`: paid on both sides, but Medusa has not followed
 * - `status`: another status, with no money on either side
 */
export type RecordDifference =
  "not_here" | "not_bound" | "paid_there" | "not_paid_there" | "amount" | "not_settled" | "status"

/** The difference between a record of the list, which was asked for at `listedAt`, and our row; null when there is none. */
export function compareRecord({
  record,
  row,
  statuses,
  listedAt,
}: {
  record: ListedRecord
  row: Transaction | null
  statuses: StatusNames
  listedAt: Date
}): RecordDifference | null {
  const meaning = meaningOf(record.status, statuses)
  if (!row) return meaning === "paid" ? "not_here" : null
  if (row.transaction_id === null) {
    const isUnderWay =
      row.state === "creating" &&
      listedAt.getTime() - row.opened_at.getTime() < CREATION_UNDER_WAY_MS
    return meaning === "paid" && !isUnderWay ? "not_bound" : null
  }
  const isPaidHere = isPaidAndKept(row)
  if (meaning === "paid") return isPaidHere ? comparePaid(record, row) : "paid_there"
  // Once a person has taken care of the money, only a payment that is taken back since is reported.
  if (row.handled_at && (meaning === "pending" || meaning === "unknown" || !isPaidHere)) return null
  if (!isPaidHere) return isSameStatus(record, row, meaning) ? null : "status"
  if (meaning === "unknown") return record.status === row.status ? null : "status"
  const paidMsBefore = listedAt.getTime() - (row.paid_at?.getTime() ?? 0)
  return meaning !== "reversed" && paidMsBefore < LONGEST_LAG_MS ? null : "not_paid_there"
}

function comparePaid(record: ListedRecord, row: Transaction): RecordDifference | null {
  const { amount, currency } = paidSum(row)
  const isSameCurrency = record.currencyCode.toUpperCase() === currency.toUpperCase()
  if (!isSameCurrency || compareSums(record.amount, amount) !== 0) return "amount"
  // Every other exception is already a problem that a person sees.
  return standingOf(row) === "waiting_for_medusa" ? "not_settled" : null
}

/** Compares status names first, because our clock may have expired a transaction that the service still calls pending. */
function isSameStatus(
  record: ListedRecord,
  row: Transaction,
  meaning: ReturnType<typeof meaningOf>
): boolean {
  if (row.exception === "reversed") {
    return meaning === "reversed" || meaning === "canceled" || meaning === "expired"
  }
  return record.status === row.status || meaning === row.state
}
