import type { TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { addAmounts, inKopecks } from "../../settlement/amount"
import { causeOfRecord } from "../../settlement/cause"
import type { ListedRecord } from "../../settlement/compare-record"
import type { MerchantAccount } from "../../settlement/merchant-account"
import { problem } from "../../settlement/problems"
import type { Comparison } from "./comparison"

/** The most payments with unknown references that are reported singly at a time; more come from another shop on this account. */
const MOST_SINGLY = 10
/** The most foreign payments whose ids are kept with their problem. */
const MOST_NAMED = 100

/** Payments without a row of ours, except those reported singly: their number, and their sums by currency. */
export interface ForeignPayments {
  count: number
  sums: Map<string, string>
  /** The service's statuses of them, which all mean paid. */
  statuses: Set<string>
  /** Causes of the single problems about payments whose reference is like ours. */
  singly: Set<string>
  /** Ids of the first of their records, in lower case. */
  records: string[]
}

/** None yet, but for those whose single problems are still open. */
export async function noForeignPaymentsYet({
  module,
  merchant,
}: Comparison): Promise<ForeignPayments> {
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
  const singly = new Set(open.map(({ cause }) => cause))
  return { count: 0, sums: new Map(), statuses: new Set(), singly, records: [] }
}

/** Adds a payment without a row. */
export function addForeign(foreign: ForeignPayments, record: ListedRecord): void {
  const { sums, statuses, records } = foreign
  foreign.count++
  statuses.add(record.status)
  sums.set(record.currencyCode, addAmounts(sums.get(record.currencyCode) ?? "0", record.amount))
  if (records.length < MOST_NAMED) records.push(record.recordId.toLowerCase())
}

export const mayBeReportedSingly = (cause: string, { singly }: ForeignPayments) =>
  singly.has(cause) || singly.size < MOST_SINGLY

export const sumOf = ({ amount, currencyCode }: ListedRecord) =>
  inKopecks({ amount, currency: currencyCode })

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
  const ours = { row: row.id, transaction: row.transaction_id }
  await module.problems.report(
    problem("payment_not_here", { ...factsOf(merchant, record), ...ours, found: "second_payment" }),
    { ...subjectOf(row), ...sumOf(record) }
  )
}

/**
 * Reports all other payments without a row as one problem, because the merchant may use other software, too. Only a person closes
 * it: the specification does not say that an export is complete, so a missing record proves nothing.
 */
export async function reportForeignPayments(
  { module, merchant, span, listedCodes }: Comparison,
  { count, sums, statuses, records }: ForeignPayments
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
        records,
      })
    )
  }
}
