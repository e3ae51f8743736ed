import type { ReconciliationRunRow } from "../../modules/payment-service/tables"
import { CREATION_UNDER_WAY_MS, LONGEST_LAG_MS } from "../../payments/rules/timing"
import * as transaction from "../../payments/rules/transaction"
import type { Sum } from "../../texts"
import { compareSums } from "../../values/amount"
import type { Period } from "../../values/local-days"

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const PAUSE_AFTER_FAILURE = 3 * HOUR
/** Later news of a payment is found by its own read. */
const COMPARED_DAYS = 35

export type LastRun = Period & Pick<ReconciliationRunRow, "finished_at" | "error" | "reasons">

/** Whether to compare now: once in each day of UTC, which begins at night in Russia, and again after one that died or ended early. */
export function isComparisonDue(last: LastRun | null, now: Date): boolean {
  const today = Math.floor(now.getTime() / DAY) * DAY
  if (!last?.finished_at || last.to.getTime() < today) return true
  const isOver = last.error === null || lacksRecordsOnly(last)
  return !isOver && now.getTime() >= last.finished_at.getTime() + PAUSE_AFTER_FAILURE
}

/** Whether a comparison could not read some records, and compared all else. The same list would have them again. */
export function lacksRecordsOnly({ reasons }: Pick<LastRun, "reasons">): boolean {
  return reasons?.length === 1 && reasons[0]?.code === "records_unreadable"
}

export function spanToCompare(now: Date): Period {
  return { from: new Date(now.getTime() - COMPARED_DAYS * DAY), to: now }
}

/** The part of a span that the list surely has: at its beginning clocks and time zones may differ, and at its end the list may lag. */
export function surelyListed({ from, to }: Period): Period {
  return { from: new Date(from.getTime() + DAY), to: new Date(to.getTime() - HOUR) }
}

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

export function ourReference({ payload }: { payload: string | null }): string | null {
  return payload !== null && OUR_REFERENCE.test(payload) ? payload : null
}

/** Finds the row of a record: by our reference, else by the record's id, of which nobody says that it is the transaction's. */
export function rowFinder(rows: transaction.Transaction[]) {
  const byId = new Map(rows.map((row) => [row.id, row]))
  const byKey = new Map(rows.map((row) => [row.transaction_id?.toLowerCase(), row]))
  return (record: Pick<ListedRecord, "recordId" | "payload">) =>
    byId.get(ourReference(record) ?? "") ?? byKey.get(record.recordId.toLowerCase()) ?? null
}

/** The difference between a record of the list and our row, a code of the texts `recordDifferences`; null when there is none. */
export function compareRecord(
  record: ListedRecord,
  row: transaction.Transaction | null,
  statuses: transaction.StatusNames,
  listedAt: Date
) {
  const meaning = transaction.meaningOf(record.status, statuses)
  if (!row) return meaning === "paid" ? "not_here" : null
  if (row.transaction_id === null) {
    const openedMsBefore = listedAt.getTime() - row.opened_at.getTime()
    const isUnderWay = row.state === "creating" && openedMsBefore < CREATION_UNDER_WAY_MS
    return meaning === "paid" && !isUnderWay ? "not_bound" : null
  }
  const isPaidHere = transaction.isPaidAndKept(row)
  if (meaning === "paid") return isPaidHere ? comparePaid(record, row) : "paid_there"
  // Once a person has taken care of the money, only a payment that is taken back since is reported.
  if (row.handled_at && (meaning === "pending" || meaning === "unknown" || !isPaidHere)) return null
  if (!isPaidHere) return isSameStatus(record.status, row, meaning) ? null : "status"
  if (meaning === "unknown") return record.status === row.status ? null : "status"
  const paidMsBefore = listedAt.getTime() - (row.paid_at?.getTime() ?? 0)
  return meaning !== "reversed" && paidMsBefore < LONGEST_LAG_MS ? null : "not_paid_there"
}

function comparePaid(record: ListedRecord, row: transaction.Transaction) {
  const { amount, currency } = transaction.paidSum(row)
  const isSameCurrency = record.currencyCode.toUpperCase() === currency.toUpperCase()
  if (!isSameCurrency || compareSums(record.amount, amount) !== 0) return "amount"
  // Every other exception is already a problem that a person sees.
  return transaction.standingOf(row) === "waiting_for_medusa" ? "not_settled" : null
}

function isSameStatus(
  status: string,
  row: transaction.Transaction,
  meaning: transaction.StatusMeaning
) {
  if (row.exception === "reversed") return ["reversed", "canceled", "expired"].includes(meaning)
  // Names come first, because our clock may have expired a transaction that the service still calls pending.
  return status === row.status || meaning === row.state
}

/** The facts of any kind of problem that tell what service or shop have, see `problems/rules/problems.ts`. */
interface KnownFacts {
  found?: string
  record?: string
  listed?: Sum & { status: string }
  sums?: Sum[]
  statuses?: string[]
  status?: string | null
  held?: Sum
  worth?: Sum
}

/** The service's and the shop's record of the payment that a problem is about; null for a side that has nothing of it. */
export const twoSides = (facts: KnownFacts, row: transaction.Transaction | null) => ({
  service: serviceSide(facts, row),
  shop: shopSide(facts, row),
})

function serviceSide(facts: KnownFacts, row: transaction.Transaction | null) {
  const { listed, record = null, sums, statuses, found } = facts
  if (listed) {
    const { status, ...sum } = listed
    return { id: record, status, sums: [sum] }
  }
  if (sums) return { id: null, status: statuses?.join(", ") ?? null, sums }
  if (!row || (found === "unconfirmed" && facts.status === null)) return null
  const { transaction_id: id, read_amount: amount, read_currency: currency } = row
  const read = amount === null || currency === null ? [] : [{ amount, currency }]
  return { id, status: facts.status ?? row.status, sums: read }
}

function shopSide({ held, worth, found }: KnownFacts, row: transaction.Transaction | null) {
  // The sum that the shop has, or that it asked for.
  const ofRow = row?.settled_at ? transaction.paidSum(row) : row
  const sum = held ?? worth ?? (ofRow && { amount: ofRow.amount, currency: ofRow.currency })
  if (!sum) return null
  // Medusa has lost what it had taken.
  const standing = row && found !== "payment_gone" ? transaction.standingOf(row) : null
  return { row_id: row?.id ?? null, standing, sums: [sum] }
}
