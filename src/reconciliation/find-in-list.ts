import { atLabelledPoint } from "../database/labelled-points"
import type { TransactionRow } from "../modules/payment-service"
import { LONGEST_COMPARED_LIST_MS } from "../payments/rules/timing"
import { meaningOf, type StatusNames } from "../payments/rules/transaction"
import { causeOfRecord, problem } from "../problems/rules/problems"
import { type OddTransaction, readRecord } from "../service/schemas"
import { addAmounts } from "../values/amount"
import { type Comparison, pagesOf, reportNotHere } from "./comparison"
import { unreadableIn, type UnreadableRecords } from "./fetch-listing"
import { compareRecord, type ListedRecord, ourReference } from "./rules/compare-record"
import { surelyListed } from "./rules/schedule"
import type { Page } from "./statements/runs"

/** Ids of paid rows are read in pages of as many. */
const PAGE = 1_000

/**
 * Finds the rows that differ from the service's list as it arrives, and the paid rows that it lacks; returns the records that could
 * not be read. Only paid records without a row are told of here. A list that breaks off does not show what it lacks.
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
  for await (const batch of accounts
    .client(merchant.accounts[0])
    .exportTransactions(question, { signal })) {
    const records: ListedRecord[] = []
    for (const record of batch.map(readRecord)) {
      if ("odd" in record) odd.push(record)
      // A payload that is no reference of ours is dropped, because it belongs to somebody else.
      else records.push({ ...record, payload: ourReference(record) })
    }
    counts.records += records.length
    await compareRecords(comparison, records, listedAt, paid, unknown)
  }
  await unknown.report()
  await findUnlisted(comparison, paid)
  return unreadableIn(odd)
}

async function compareRecords(
  comparison: Comparison,
  records: ListedRecord[],
  listedAt: Date,
  paid: Map<string, string>,
  unknown: UnknownPayments
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
      // A list may write the same id in either case.
      const id = record.recordId.toLowerCase()
      if ((paid.get(row.id) ?? id) !== id) {
        counts.differences++
        await reportNotHere(comparison, record, row, "second_payment")
        continue
      }
      paid.set(row.id, id)
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

/** The service's codes that its list is asked for; none means all. */
function listedCodes({ merchant }: Comparison) {
  const options = merchant.accounts.map((account) => account.export)
  return {
    statuses: codesOf(options.map((codes) => codes.statusCodes)),
    paymentMethods: codesOf(options.map((codes) => codes.methodCodes)),
  }
}

/** The filter codes of all accounts. Unless every account names some, the list is empty, which means all. */
function codesOf(codes: Record<string, string>[]): string[] {
  const named = codes.map((byLabel) => Object.values(byLabel))
  return named.every((own) => own.length > 0) ? [...new Set(named.flat())] : []
}

/** The status names of the row's account, else of the merchant's first account. */
function statusesOf({ accounts, merchant }: Comparison, row: TransactionRow | null): StatusNames {
  const own = row && accounts.findForRow(row)
  return (own ?? merchant.accounts[0]).statuses
}

/** The most open problems about single payments with unknown references; more come from another shop on this account. */
const MOST_SINGLY = 10
/** The most foreign payments whose ids are kept with their problem. */
const MOST_NAMED = 100

/** Paid records without a row of ours. Ten with a reference like ours are told of singly, all others in one problem. */
class UnknownPayments {
  private count = 0
  private readonly sums = new Map<string, string>()
  /** The service's statuses of them, which all mean paid. */
  private readonly statuses = new Set<string>()
  private readonly records: string[] = []

  private constructor(
    private readonly comparison: Comparison,
    /** Causes of the problems about single ones, and how many of them are open: nothing opens again that a person has closed. */
    private readonly singly: Set<string>,
    private openSingly: number
  ) {}

  static async of(comparison: Comparison): Promise<UnknownPayments> {
    const { module, merchant } = comparison
    const singly = await module.listProblems(
      {
        kind: "payment_not_here",
        cause: { $like: causeOfRecord(merchant.merchantId, "%") },
        // Problems about a row of ours have the same kind, but are not counted here.
        transaction_row_id: null,
      },
      { take: null, select: ["cause", "closed_at"] }
    )
    return new UnknownPayments(
      comparison,
      new Set(singly.map(({ cause }) => cause)),
      singly.filter(({ closed_at }) => closed_at === null).length
    )
  }

  async add(record: ListedRecord): Promise<void> {
    const { comparison, sums, statuses, records, singly } = this
    const cause = causeOfRecord(comparison.merchant.merchantId, record.recordId)
    if (singly.has(cause) || (record.payload !== null && this.openSingly < MOST_SINGLY)) {
      if (!singly.has(cause)) this.openSingly++
      singly.add(cause)
      comparison.counts.differences++
      return await reportNotHere(comparison, record)
    }
    this.count++
    statuses.add(record.status)
    sums.set(record.currencyCode, addAmounts(sums.get(record.currencyCode) ?? "0", record.amount))
    if (records.length < MOST_NAMED) records.push(record.recordId.toLowerCase())
  }

  /**
   * Tells of all that are not told of singly, because the merchant may use other software, too. Only a person closes that problem:
   * the specification does not say that an export is complete, so a missing record proves nothing.
   */
  async report(): Promise<void> {
    const { count, sums, statuses, records } = this
    const { module, merchant, span } = this.comparison
    const { baseUrl, merchantId, accounts } = merchant
    if (!count) return
    // The problem's subject has no sum, since that changes every day.
    await module.problems.report(
      problem("payment_not_here", {
        found: "foreign_payments",
        baseUrl,
        merchantId,
        count,
        from: span.from.toISOString(),
        to: span.to.toISOString(),
        sums: [...sums].map(([currency, amount]) => ({ amount, currency })),
        statuses: [...statuses],
        methods: listedCodes(this.comparison).paymentMethods.length
          ? Object.keys(accounts[0].export.methodCodes)
          : [],
        records,
      })
    )
  }
}
