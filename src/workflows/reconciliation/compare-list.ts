import type { TransactionRow } from "../../modules/payment-service"
import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import { subjectOf } from "../../modules/payment-service/problems"
import { type ExportedTransaction, type OddTransaction, readRecord } from "../../service/schemas"
import { causeOfRecord } from "../../settlement/cause"
import {
  compareRecord,
  isCreatedFor,
  judgeAfterReading,
  judgeUnlisted,
  type ListedRecord,
  ourReference,
  type RecordDifference,
} from "../../settlement/compare-record"
import { surelyListed } from "../../settlement/reconciliation-schedule"
import { LONGEST_COMPARED_LIST_MS } from "../../settlement/timing"
import { meaningOf } from "../../settlement/transaction-status"
import { exportOf, unreadableIn, type UnreadableRecords } from "../listings/merchant-exports"
import type { Comparison } from "./comparison"
import { type Page, pagesOf } from "./pages"
import {
  addForeign,
  type ForeignPayments,
  mayBeReportedSingly,
  noForeignPaymentsYet,
  reportForeignPayments,
  reportNotHere,
  reportSecondPayment,
  sumOf,
} from "./report-records"

/** Differences are settled after this many, or at the end of the list, because settling keeps the list waiting. */
const MOST_KEPT = 1_000
/** Rows that the list lacks are read in pages of as many. */
const PAGE = 200

interface Found {
  difference: Exclude<RecordDifference, "not_here">
  record: ListedRecord
  row: TransactionRow
}

/**
 * Compares the service's list with our rows as it arrives, and settles differences. If the list breaks off, the differences so
 * far are settled all the same.
 *
 * @returns the records that could not be read, in a list that came as a whole; null when all could be
 * @throws PaymentServiceError when the list does not come or breaks off
 */
export async function compareList(comparison: Comparison): Promise<UnreadableRecords | null> {
  const foreign = await noForeignPaymentsYet(comparison)
  const kept: Found[] = []
  const odd: OddTransaction[] = []
  const settleKept = () =>
    comparison.forEach(kept.splice(0), (found) => settleFound(comparison, found))
  try {
    for await (const batch of list(comparison)) {
      const records: ListedRecord[] = []
      for (const record of batch.map(readRecord)) {
        if ("odd" in record) odd.push(record)
        else records.push(recordOf(record))
      }
      comparison.counts.records += records.length
      kept.push(...(await compareRecords(comparison, records, foreign)))
      if (kept.length >= MOST_KEPT) {
        await settleKept()
      }
    }
  } finally {
    await settleKept()
  }
  await reportForeignPayments(comparison, foreign)
  return unreadableIn(odd)
}

function list({ accounts, merchant, span, listedCodes }: Comparison) {
  const { statuses: statusCodes, paymentMethods: methodCodes } = listedCodes
  const signal = AbortSignal.timeout(LONGEST_COMPARED_LIST_MS)
  const question = { ...span, timeZone: "UTC", statusCodes, methodCodes }
  return exportOf(accounts, merchant, question, signal, LONGEST_COMPARED_LIST_MS)
}

/** Keeps only the compared fields. A payload that is no reference of ours is dropped, because it belongs to somebody else. */
function recordOf(exported: ExportedTransaction): ListedRecord {
  const { recordId, amount, currencyCode, status } = exported
  return { recordId, amount, currencyCode, status, payload: ourReference(exported) }
}

async function compareRecords(
  comparison: Comparison,
  records: ListedRecord[],
  foreign: ForeignPayments
): Promise<Found[]> {
  const { module, merchant, counts, startedAt: listedAt } = comparison
  const rowOf = await module.recordRows.finderFor(merchant.merchantId, records)
  const listed = new Set<string>()
  const found: Found[] = []
  const inOrder: string[] = []
  for (const record of records) {
    const row = rowOf(record)
    const statuses = comparison.statusesOf(row)
    const difference = compareRecord({ record, row, statuses, listedAt })
    const isPaid = meaningOf(record.status, statuses) === "paid"
    const cause = causeOfRecord(merchant.merchantId, record.recordId)
    if (row) counts.matched++
    if (
      row &&
      isPaid &&
      (comparison.paidRecords.get(row.id) ?? record.recordId) !== record.recordId
    ) {
      counts.differences++
      await reportSecondPayment(comparison, record, row)
      continue
    }
    if (row) listed.add(row.id)
    if (row && isPaid) comparison.paidRecords.set(row.id, record.recordId)
    if (row && difference && difference !== "not_here") {
      counts.differences++
      found.push({ difference, record, row })
    } else if (difference && record.payload && mayBeReportedSingly(cause, foreign)) {
      foreign.singly.add(cause)
      counts.differences++
      await reportNotHere(comparison, record)
    } else if (difference) {
      addForeign(foreign, record)
    } else {
      inOrder.push(cause)
      if (row?.transaction_id) comparison.agreed = row.transaction_id
    }
  }
  await module.reconciliation.markListed([...listed], listedAt)
  await module.problems.close(inOrder)
  await atLabelledPoint("reconciliation:listed")
  return found
}

/** Reads the transaction alone, because that answer counts, and reports a remaining difference. */
async function settleFound(comparison: Comparison, found: Found): Promise<void> {
  const { module, counts, merchant, startedAt: listedAt } = comparison
  const { record } = found
  if (found.difference === "not_bound" && !(await bind(comparison, found))) {
    await reportNotHere(comparison, record, found.row)
    return
  }
  await atLabelledPoint("reconciliation:bound")
  const singleRead = await comparison.settle(found.row.id)
  const row = await module.transactions.get(found.row.id)
  const statuses = comparison.statusesOf(row)
  const judged = judgeAfterReading({ record, row, statuses, listedAt, ...singleRead })
  if (judged === "settled") {
    counts.settled++
    await module.problems.close([causeOfRecord(merchant.merchantId, record.recordId)])
  } else if (judged !== "left") {
    await module.problems.report(judged, { ...subjectOf(row), ...sumOf(record) })
  }
}

/**
 * Gives a row whose creation got no reply the record's id, if that is the transaction's: for this id, the service must answer
 * with our reference and our merchant.
 *
 * @returns whether the row has its id now
 */
async function bind(comparison: Comparison, { record, row }: Found): Promise<boolean> {
  const { module, accounts } = comparison
  const account = accounts.findForRow(row)
  if (!account) return false
  const { answer: details } = await comparison.askSingle(() =>
    accounts.client(account).getTransaction(record.recordId)
  )
  return (
    details !== null &&
    isCreatedFor(row, details) &&
    (await module.openings.bind(row.id, details.id, details.status))
  )
}

/**
 * The other direction: finds rows with money that a complete list did not contain. Each is read from the service alone before it
 * is reported.
 */
export async function compareUnlisted(comparison: Comparison): Promise<void> {
  const { module, merchant, span, startedAt } = comparison
  const opened = surelyListed(span)
  const load = (page: Page) => module.reconciliation.findUnlisted(merchant, opened, startedAt, page)
  for await (const rowIds of pagesOf(PAGE, load)) {
    await comparison.forEach(rowIds, (rowId) => checkSingle(comparison, rowId))
  }
}

async function checkSingle(comparison: Comparison, rowId: string): Promise<void> {
  const { module, counts } = comparison
  counts.differences++
  const singleRead = await comparison.settle(rowId)
  const row = await module.transactions.get(rowId)
  const judged = judgeUnlisted(row, comparison.statusesOf(row), singleRead)
  if (judged === "settled") {
    counts.settled++
  } else {
    await module.problems.report(judged, subjectOf(row))
  }
}
