import type { TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { addAmounts, inKopecks } from "../../settlement/amount"
import { causeOfForeignPayments, causeOfRecord } from "../../settlement/cause"
import type { ListedRecord } from "../../settlement/compare-record"
import { problem } from "../../settlement/problems"
import { type Comparison, listedCodes } from "./comparison"

/** The most open problems about single payments with unknown references; more come from another shop on this account. */
const MOST_SINGLY = 10
/** The most foreign payments whose ids are kept with their problem. */
const MOST_NAMED = 100

/**
 * Paid records without a row of ours. Those with a reference like ours are told of singly, all others in one problem. Each stays
 * where it was told of first, so that nothing opens again that a person has closed.
 */
export class UnknownPayments {
  private count = 0
  private readonly sums = new Map<string, string>()
  /** The service's statuses of them, which all mean paid. */
  private readonly statuses = new Set<string>()
  private readonly records: string[] = []
  private readonly referenced: string[] = []

  private constructor(
    private readonly comparison: Comparison,
    /** Causes of the problems about single ones, and how many of them are open. */
    private readonly singly: Set<string>,
    private openSingly: number,
    /** Ids in the problem about all others that have a reference like ours. */
    private readonly inOne: Set<string>
  ) {}

  static async of(comparison: Comparison): Promise<UnknownPayments> {
    const { module, merchant } = comparison
    const causeOfOne = causeOfForeignPayments(merchant)
    const found = await module.listProblems(
      {
        kind: "payment_not_here",
        $or: [{ cause: { $like: causeOfRecord(merchant.merchantId, "%") } }, { cause: causeOfOne }],
        // Problems about a row of ours have the same kind, but are not counted here.
        transaction_row_id: null,
      },
      { take: null, select: ["cause", "facts", "closed_at", "resolution"] }
    )
    const told = found.filter(({ resolution }) => resolution !== "settled")
    const singly = told.filter(({ cause }) => cause !== causeOfOne)
    return new UnknownPayments(
      comparison,
      new Set(singly.map(({ cause }) => cause)),
      singly.filter(({ closed_at }) => closed_at === null).length,
      new Set(told.flatMap(({ facts }) => (facts.referenced as string[] | undefined) ?? []))
    )
  }

  async add(record: ListedRecord): Promise<void> {
    if (this.isToldSingly(record)) {
      this.comparison.counts.differences++
      return await reportNotHere(this.comparison, record)
    }
    const { sums, statuses, records, referenced } = this
    const id = record.recordId.toLowerCase()
    this.count++
    statuses.add(record.status)
    sums.set(record.currencyCode, addAmounts(sums.get(record.currencyCode) ?? "0", record.amount))
    if (records.length < MOST_NAMED) records.push(id)
    if (record.payload !== null && referenced.length < MOST_NAMED) referenced.push(id)
  }

  private isToldSingly({ recordId, payload }: ListedRecord): boolean {
    const cause = causeOfRecord(this.comparison.merchant.merchantId, recordId)
    if (payload === null) return false
    if (this.singly.has(cause)) return true
    // A full list of ids does not say who else was among them.
    const mayBeInOne = this.inOne.has(recordId.toLowerCase()) || this.inOne.size >= MOST_NAMED
    if (mayBeInOne || this.openSingly >= MOST_SINGLY) return false
    this.singly.add(cause)
    this.openSingly++
    return true
  }

  /**
   * Tells of all that are not told of singly, because the merchant may use other software, too. Only a person closes that problem:
   * the specification does not say that an export is complete, so a missing record proves nothing.
   */
  async report(): Promise<void> {
    const { count, sums, statuses, records, referenced } = this
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
        referenced,
      })
    )
  }
}

/**
 * Reports a payment without a row in this store, or whose row could not be given its id, or that only the list calls paid, or that
 * is the second one of its row, because a row is for one payment only.
 */
export async function reportNotHere(
  { module, merchant: { baseUrl, merchantId } }: Comparison,
  record: ListedRecord,
  row: TransactionRow | null = null,
  found: "listed_only" | "second_payment" = "listed_only"
): Promise<void> {
  const { recordId, amount, currencyCode, status, payload } = record
  const sum = inKopecks({ amount, currency: currencyCode })
  const listed = { baseUrl, merchantId, record: recordId, listed: { ...sum, status } }
  const facts = !row
    ? { ...listed, found: "unknown_reference" as const, reference: payload ?? "" }
    : row.transaction_id === null && found === "listed_only"
      ? { ...listed, found: "creation_without_reply" as const, row: row.id }
      : { ...listed, found, row: row.id, transaction: row.transaction_id }
  const subject = row ? subjectOf(row) : { transaction_id: recordId }
  await module.problems.report(problem("payment_not_here", facts), { ...subject, ...sum })
}
