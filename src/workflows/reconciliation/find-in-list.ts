import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import type { Page } from "../../modules/payment-service/reconciliation"
import { type OddTransaction, readRecord } from "../../service/schemas"
import { causeOfRecord } from "../../settlement/cause"
import { compareRecord, type ListedRecord, ourReference } from "../../settlement/compare-record"
import { surelyListed } from "../../settlement/reconciliation-schedule"
import { LONGEST_COMPARED_LIST_MS } from "../../settlement/timing"
import { meaningOf } from "../../settlement/transaction"
import { exportOf, unreadableIn, type UnreadableRecords } from "../listings/merchant-exports"
import { type Comparison, listedCodes, pagesOf, statusesOf } from "./comparison"
import { reportNotHere, UnknownPayments } from "./report-records"

/** Ids of paid rows are read in pages of as many. */
const PAGE = 1_000

/**
 * Finds the rows that differ from the service's list as it arrives, and the paid rows that it lacks; returns the records that
 * could not be read. Only paid records without a row are told of here. Kept in memory are the ids of our payments, however long
 * the list is. A list that breaks off does not show what it lacks.
 */
export async function findInList(comparison: Comparison): Promise<UnreadableRecords | null> {
  const { accounts, merchant, span, counts } = comparison
  const listedAt = comparison.module.clock.now()
  const unknown = await UnknownPayments.of(comparison)
  /** The paid record of each of our rows; another one is a second payment. */
  const paid = new Map<string, string>()
  const odd: OddTransaction[] = []
  const question = { ...span, timeZoneId: "UTC", ...listedCodes(comparison) }
  const signal = AbortSignal.timeout(LONGEST_COMPARED_LIST_MS)
  const list = exportOf(accounts, merchant, question, signal, LONGEST_COMPARED_LIST_MS)
  for await (const batch of list) {
    const records: ListedRecord[] = []
    for (const record of batch.map(readRecord)) {
      if ("odd" in record) odd.push(record)
      // A payload that is no reference of ours is dropped, because it belongs to somebody else.
      else records.push({ ...record, payload: ourReference(record) })
    }
    counts.records += records.length
    await compareRecords(comparison, records, { listedAt, paid, unknown })
  }
  await unknown.report()
  await findUnlisted(comparison, paid)
  return unreadableIn(odd)
}

async function compareRecords(
  comparison: Comparison,
  records: ListedRecord[],
  {
    listedAt,
    paid,
    unknown,
  }: { listedAt: Date; paid: Map<string, string>; unknown: UnknownPayments }
): Promise<void> {
  const { module, merchant, counts, differing } = comparison
  const rowOf = await module.transactionList.finderFor(merchant.merchantId, records)
  const inOrder: string[] = []
  for (const record of records) {
    const row = rowOf(record)
    const statuses = statusesOf(comparison, row)
    const isPaid = meaningOf(record.status, statuses) === "paid"
    if (row) counts.matched++
    if (row && isPaid) {
      if ((paid.get(row.id) ?? record.recordId) !== record.recordId) {
        counts.differences++
        await reportNotHere(comparison, record, row, "second_payment")
        continue
      }
      paid.set(row.id, record.recordId)
    }
    if (!compareRecord({ record, row, statuses, listedAt })) {
      inOrder.push(causeOfRecord(merchant.merchantId, record.recordId))
    } else if (row) {
      differing.set(row.id, isPaid ? record : null)
    } else {
      await unknown.add(record)
    }
  }
  await module.problems.close(inOrder)
  await atLabelledPoint("reconciliation:listed")
}

/** The other direction: paid rows without a paid record. Beside them, rows whose problem the service's next answer ends. */
async function findUnlisted(
  { module, merchant, span, differing }: Comparison,
  paid: Map<string, string>
): Promise<void> {
  const found = (rowId: string) => differing.set(rowId, differing.get(rowId) ?? null)
  const opened = surelyListed(span)
  const load = (page: Page) => module.reconciliation.paidRows(merchant, opened, page)
  for await (const rowIds of pagesOf(PAGE, load)) {
    for (const rowId of rowIds) if (!paid.has(rowId)) found(rowId)
  }
  for (const rowId of await module.reconciliation.unreadRows(merchant)) found(rowId)
}
