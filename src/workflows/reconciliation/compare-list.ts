import type { TransactionRow } from "../../modules/payment-service"
import { reached } from "../../modules/payment-service/labelled-points"
import { subjectOf } from "../../modules/payment-service/problems"
import type { ExportedTransaction } from "../../service/client"
import { addAmounts } from "../../settlement/amount"
import { causeOfRecord } from "../../settlement/cause"
import {
  compareRecord,
  judgeAfterReading,
  type ListedRecord,
  type RecordDifference,
} from "../../settlement/compare-record"
import type { Place } from "../../settlement/place-id"
import { problem } from "../../settlement/problems"
import { meaningOf } from "../../settlement/transaction-status"
import type { Comparison } from "./comparison"

/** Records that are looked up together. */
const BATCH = 200
/** What is kept until the list has ended, each: while differences are settled, the service has to wait. */
const MOST_KEPT = 1_000
/** A list that drips on for ever ends here, and is asked for again later. */
const LONGEST_LIST_MS = 60 * 60_000
/** Our reference as `payload` has it; nobody's name or address looks like it. */
const OUR_REFERENCE = /^pstx_[0-9A-HJKMNP-TV-Z]{26}$/

interface Found {
  difference: Exclude<RecordDifference, "not_here">
  record: ListedRecord
  row: TransactionRow
}

/** Payments without a reference of ours: how many, and how much by currency. */
interface ForeignPayments {
  count: number
  sums: Map<string, string>
}

/**
 * Compares the service's list with our rows, record by record and never all at once, and settles what
 * differs. What was compared before the list broke off is kept and settled, too.
 *
 * @throws PaymentServiceError when the list does not come or breaks off
 */
export async function compareList(comparison: Comparison): Promise<void> {
  const foreign: ForeignPayments = { count: 0, sums: new Map() }
  const kept: Found[] = []
  const byReference: ListedRecord[] = []
  const settleKept = () =>
    comparison.forEach(kept.splice(0), (found) => settleFound(comparison, found))
  try {
    for await (const batch of batchesOf(list(comparison))) {
      kept.push(...(await compareBatch(comparison, batch, foreign, byReference)))
      if (byReference.length >= MOST_KEPT) {
        kept.push(...(await compareByReference(comparison, byReference.splice(0), foreign)))
      }
      if (kept.length >= MOST_KEPT) {
        await settleKept()
      }
    }
  } finally {
    kept.push(...(await compareByReference(comparison, byReference, foreign)))
    await settleKept()
  }
  await reportForeignPayments(comparison, foreign)
}

function list({ module, place, span }: Comparison) {
  return module.clientAt(place).exportTransactions(
    {
      ...span,
      timeZoneId: "UTC",
      statuses: codesOf(place.accounts.map((account) => account.export.statusCodes)),
      paymentMethods: codesOf(place.accounts.map((account) => account.export.methodCodes)),
    },
    { signal: AbortSignal.timeout(LONGEST_LIST_MS) }
  )
}

/** Codes to ask for: none, which means all, unless every account names its own. */
function codesOf(codes: Record<string, string>[]): string[] {
  const named = codes.map((byLabel) => Object.values(byLabel))
  return named.every((own) => own.length > 0) ? [...new Set(named.flat())] : []
}

/** What came before the list broke off is a batch, too. */
async function* batchesOf(records: AsyncIterable<ExportedTransaction>) {
  let batch: ListedRecord[] = []
  try {
    for await (const record of records) {
      batch.push(recordOf(record))
      if (batch.length >= BATCH) {
        yield batch
        batch = []
      }
    }
  } catch (error) {
    yield batch
    throw error
  }
  yield batch
}

/** What is somebody else's, its payload among it, is forgotten here. */
function recordOf(exported: ExportedTransaction): ListedRecord {
  const { recordId, amount, currencyCode, status, payload } = exported
  const isOurs = payload !== null && OUR_REFERENCE.test(payload)
  return { recordId, amount, currencyCode, status, payload: isOurs ? payload : null }
}

/** Leaves to `byReference` what has only the reference of a transaction: one with its id may still come. */
async function compareBatch(
  comparison: Comparison,
  records: ListedRecord[],
  foreign: ForeignPayments,
  byReference: ListedRecord[]
): Promise<Found[]> {
  const rows = await findRows(comparison, records)
  const compared: ListedRecord[] = []
  for (const record of records) {
    const row = rows.get(record)
    const isLeft = row && row.transaction_key !== null && !isItsOwn(record, row)
    ;(isLeft ? byReference : compared).push(record)
  }
  comparison.counts.records += records.length
  return await compareRecords(comparison, compared, rows, foreign)
}

/** After those with a transaction's id: the specification does not say that records have it. */
async function compareByReference(
  comparison: Comparison,
  records: ListedRecord[],
  foreign: ForeignPayments
): Promise<Found[]> {
  const found: Found[] = []
  for (let from = 0; from < records.length; from += BATCH) {
    const batch = records.slice(from, from + BATCH)
    const rows = await findRows(comparison, batch)
    found.push(...(await compareRecords(comparison, batch, rows, foreign)))
  }
  return found
}

const isItsOwn = (record: ListedRecord, row: TransactionRow) =>
  record.recordId.toLowerCase() === row.transaction_key

async function compareRecords(
  comparison: Comparison,
  records: ListedRecord[],
  rows: Map<ListedRecord, TransactionRow>,
  foreign: ForeignPayments
): Promise<Found[]> {
  const { module, place, counts, startedAt: listedAt } = comparison
  const listedBefore = new Set(
    [...rows.values()]
      .filter(({ listed_at }) => listed_at?.getTime() === listedAt.getTime())
      .map(({ id }) => id)
  )
  const found: Found[] = []
  const inOrder: string[] = []
  for (const record of records) {
    const row = rows.get(record) ?? null
    const statuses = comparison.statusesOf(row)
    const difference = compareRecord({ record, row, statuses, listedAt })
    const isPaid = meaningOf(record.status, statuses) === "paid"
    if (row) counts.matched++
    if (row && listedBefore.has(row.id) && isPaid) {
      counts.differences++
      await reportSecondPayment(comparison, record, row)
      continue
    }
    if (row) listedBefore.add(row.id)
    if (row && difference && difference !== "not_here") {
      counts.differences++
      found.push({ difference, record, row })
    } else if (difference && record.payload) {
      counts.differences++
      await reportNotHere(comparison, record)
    } else if (difference) {
      foreign.count++
      const sum = foreign.sums.get(record.currencyCode) ?? "0"
      foreign.sums.set(record.currencyCode, addAmounts(sum, record.amount))
    } else {
      inOrder.push(causeOfRecord(place.merchantId, record.recordId))
    }
  }
  await module.reconciliation.markListed([...listedBefore], listedAt)
  await module.problems.close(inOrder)
  await reached("reconciliation:listed")
  return found
}

/**
 * Our rows of these records: by our reference first, and by the record's id where the list has none,
 * because nobody promises that it is the transaction's.
 */
async function findRows(
  { module, place }: Comparison,
  records: ListedRecord[]
): Promise<Map<ListedRecord, TransactionRow>> {
  const references = records.flatMap(({ payload }) => payload ?? [])
  const keys = records.map(({ recordId }) => recordId.toLowerCase())
  const rows = records.length
    ? await module.listTransactions(
        { $or: [{ id: references }, { transaction_key: keys }] },
        { take: null }
      )
    : []
  const ours = rows.filter(
    ({ merchant_id }) => merchant_id.toLowerCase() === place.merchantId.toLowerCase()
  )
  const byId = new Map(ours.map((row) => [row.id, row]))
  const byKey = new Map(ours.map((row) => [row.transaction_key, row]))
  return new Map(
    records.flatMap((record): [ListedRecord, TransactionRow][] => {
      const row = byId.get(record.payload ?? "") ?? byKey.get(record.recordId.toLowerCase())
      return row ? [[record, row]] : []
    })
  )
}

/** Reads the transaction alone, which is the truth, and reports what is left of the difference. */
async function settleFound(comparison: Comparison, found: Found): Promise<void> {
  const { module, counts, place, startedAt: listedAt } = comparison
  const { record } = found
  if (found.difference === "not_bound" && !(await bind(comparison, found))) {
    await reportNotHere(comparison, record, found.row)
    return
  }
  await reached("reconciliation:bound")
  const alone = await comparison.settle(found.row.id)
  const row = await module.transactions.get(found.row.id)
  const statuses = comparison.statusesOf(row)
  const judged = judgeAfterReading({ record, row, statuses, listedAt, ...alone })
  if (judged === "settled") {
    counts.settled++
    await module.problems.close([causeOfRecord(place.merchantId, record.recordId)])
  } else if (judged !== "left") {
    await module.problems.report(judged, { ...subjectOf(row), ...sumOf(record) })
  }
}

/**
 * The id of a creation whose reply was lost, if the record's id is the transaction's: the service must
 * answer to it with our reference and our merchant.
 */
async function bind(comparison: Comparison, { record, row }: Found): Promise<boolean> {
  const { module, place } = comparison
  if (!module.findOptionsForRow(row)) {
    return false
  }
  const { answer: details } = await comparison.askAlone(() =>
    module.clientForRow(row).getTransaction(record.recordId)
  )
  return (
    details !== null &&
    details.payload === row.id &&
    details.merchantId?.toLowerCase() === place.merchantId.toLowerCase() &&
    (await module.reconciliation.bind(row.id, details.id, details.status))
  )
}

const sumOf = ({ amount, currencyCode }: ListedRecord) => ({ amount, currency: currencyCode })

const factsOf = ({ baseUrl, merchantId }: Place, record: ListedRecord) => ({
  ...{ baseUrl, merchantId },
  record: record.recordId,
  listed: { ...sumOf(record), status: record.status },
})

/** Money came, and nothing in this store stands for it. */
async function reportNotHere(
  { module, place }: Comparison,
  record: ListedRecord,
  row?: TransactionRow
): Promise<void> {
  const facts = factsOf(place, record)
  await module.problems.report(
    problem(
      "payment_not_here",
      row
        ? { ...facts, found: "creation_without_reply", row: row.id }
        : { ...facts, found: "unknown_reference", reference: record.payload ?? "" }
    ),
    { ...(row ? subjectOf(row) : { transaction_id: record.recordId }), ...sumOf(record) }
  )
}

/** Two payments with one reference: one of them is nobody's. */
async function reportSecondPayment(
  { module, place }: Comparison,
  record: ListedRecord,
  row: TransactionRow
): Promise<void> {
  const kind = isItsOwn(record, row) ? "records_differ" : "payment_not_here"
  const ours = { row: row.id, transaction: row.transaction_id }
  await module.problems.report(
    problem(kind, { ...factsOf(place, record), ...ours, found: "second_payment" }),
    { ...subjectOf(row), ...sumOf(record) }
  )
}

/** One problem for all of them: a merchant may take payments by other software, too. */
async function reportForeignPayments(
  { module, place: { baseUrl, merchantId }, span }: Comparison,
  { count, sums }: ForeignPayments
): Promise<void> {
  const found = problem("payment_not_here", {
    found: "foreign_payments",
    ...{ baseUrl, merchantId, count },
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    sums: [...sums].map(([currency, amount]) => ({ amount, currency })),
  })
  // Without a sum as its subject, which is another one every day.
  await (count ? module.problems.report(found) : module.problems.close([found.cause]))
}
