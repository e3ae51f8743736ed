import type { TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { addAmounts } from "../../settlement/amount"
import { causeOfForeignPayments, causeOfRecord } from "../../settlement/cause"
import type { ListedRecord } from "../../settlement/compare-record"
import type { MerchantAccount } from "../../settlement/merchant-account"
import { problem } from "../../settlement/problems"
import type { Comparison } from "./comparison"

/** The most payments with unknown references that are reported singly at a time; more come from another shop on this account. */
const MOST_SINGLY = 10
/** The most foreign payments that are looked for again by their records. If there are more, only a person closes their problem. */
const MOST_FOLLOWED = 100

/** Payments without a row of ours, except those reported singly: their number, and their sums by currency. */
export interface ForeignPayments {
  count: number
  sums: Map<string, string>
  /** The service's statuses of them, which all mean paid. */
  statuses: Set<string>
  /** Causes of the single problems about payments whose reference is like ours. */
  singly: Set<string>
  /** Ids of their records, in lower case, beginning with those of the open problem that the list has not explained. */
  records: Set<string>
  /** Whether there are more records than `records` may hold, or were once. */
  areMore: boolean
}

/** The foreign payments of the open problem, before the list comes. */
export async function foreignPaymentsBefore(comparison: Comparison): Promise<ForeignPayments> {
  const { module, merchant } = comparison
  const [open] = await module.listProblems(
    { cause: causeOfForeignPayments(merchant), closed_at: null },
    { select: ["facts"] }
  )
  const { records = [] } = (open?.facts ?? {}) as { records?: string[] }
  const singly = await findReportedSingly(comparison)
  return {
    count: 0,
    sums: new Map(),
    statuses: new Set(),
    singly,
    records: new Set(records),
    areMore: records.length >= MOST_FOLLOWED,
  }
}

/** Adds a payment without a row. */
export function addForeign(foreign: ForeignPayments, record: ListedRecord): void {
  const { sums, statuses, records } = foreign
  foreign.count++
  statuses.add(record.status)
  sums.set(record.currencyCode, addAmounts(sums.get(record.currencyCode) ?? "0", record.amount))
  if (records.size < MOST_FOLLOWED) records.add(record.recordId.toLowerCase())
  foreign.areMore ||= records.size >= MOST_FOLLOWED
}

/** Notes that the list has a record. If it is still a foreign payment, `addForeign` follows. */
export function explain({ records, areMore }: ForeignPayments, record: ListedRecord): void {
  if (!areMore) records.delete(record.recordId.toLowerCase())
}

/** The causes of the open single problems about payments with an unknown reference. */
async function findReportedSingly({ module, merchant }: Comparison): Promise<Set<string>> {
  const open = await module.listProblems(
    {
      kind: "payment_not_here",
      cause: { $like: causeOfRecord(merchant.merchantId, "%") },
      // Problems about a row of ours have the same kind, but are not counted here.
      transaction_row_id: null,
      closed_at: null,
    },
    { take: null, select: ["cause"] }
  )
  return new Set(open.map(({ cause }) => cause))
}

export const mayBeReportedSingly = (cause: string, { singly }: ForeignPayments) =>
  singly.has(cause) || singly.size < MOST_SINGLY

/** Whether a record has the id of the row's own transaction. */
export const isItsOwn = (record: ListedRecord, row: TransactionRow) =>
  record.recordId.toLowerCase() === row.transaction_key

export const sumOf = ({ amount, currencyCode }: ListedRecord) => ({
  amount,
  currency: currencyCode,
})

const factsOf = ({ baseUrl, merchantId }: MerchantAccount, record: ListedRecord) => ({
  baseUrl,
  merchantId,
  record: record.recordId,
  listed: { ...sumOf(record), status: record.status },
})

/** Reports a payment without a row in this store, or whose row could not be given its id. */
export async function reportNotHere(
  { module, merchant }: Comparison,
  record: ListedRecord,
  row?: TransactionRow
): Promise<void> {
  const facts = factsOf(merchant, record)
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

/** Reports a second paid record of one row, because a row is for one payment only. */
export async function reportSecondPayment(
  { module, merchant }: Comparison,
  record: ListedRecord,
  row: TransactionRow
): Promise<void> {
  const kind = isItsOwn(record, row) ? "records_differ" : "payment_not_here"
  const ours = { row: row.id, transaction: row.transaction_id }
  await module.problems.report(
    problem(kind, { ...factsOf(merchant, record), ...ours, found: "second_payment" }),
    { ...subjectOf(row), ...sumOf(record) }
  )
}

/**
 * Reports all other payments without a row as one problem, because the merchant may use other software, too. It closes only when
 * the list has explained each of them: the specification does not say that an export is complete, so a missing record proves
 * nothing.
 */
export async function reportForeignPayments(
  { module, merchant, span, listedCodes }: Comparison,
  { count, sums, statuses, records, areMore }: ForeignPayments
): Promise<void> {
  const { baseUrl, merchantId } = merchant
  if (count) {
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
        methods: listedCodes.paymentMethods.length
          ? Object.keys(merchant.accounts[0].export.methodCodes)
          : [],
        records: [...records],
      })
    )
  } else if (records.size === 0 && !areMore) {
    await module.problems.close([causeOfForeignPayments(merchant)])
  }
}
