import type { MedusaContainer } from "@medusajs/framework/types"

import { MedusaReader, namesTransaction, type Payment } from "../medusa/reader"
import type { TransactionRow } from "../modules/payment-service"
import { takeBackUnprovenRefunds } from "../payments/book-refund"
import { settlePortsOf } from "../payments/ports"
import { reportBalances } from "../payments/follow-order"
import type { Ports } from "../payments/read-transaction"
import { LONGEST_CHANGE_MS, LONGEST_COMPARED_LIST_MS } from "../payments/rules/timing"
import { isSameMerchant, meaningOf, paidSum, standingOf } from "../payments/rules/transaction"
import { notGoneBack } from "../problems/money-back"
import { causeOfGone, causeOfPayment, causeOfRecord, problem } from "../problems/rules/problems"
import { subjectOf } from "../problems/statements/problems"
import { type OddTransaction, WHOLE_UUID } from "../service/schemas"
import type { ConfiguredMerchant } from "../settings/accounts"
import { addAmounts, inKopecks, isOwed } from "../values/amount"
import { withDeadline } from "../values/deadline"
import type { Period } from "../values/local-days"
import { compareRecord, type ListedRecord, ourReference, surelyListed } from "./rules/comparison"
import { type Asking, readList, unreadableIn } from "./service-list"
import type { ComparisonCounts, Page } from "./statements/runs"

export interface Comparison extends Asking {
  container: MedusaContainer
  span: Period
  counts: ComparisonCounts
  /** Ids of the rows that differ and must be settled, each with its paid record if the list has one. */
  differing: Map<string, ListedRecord | null>
}

const PAYMENTS_AT_ONCE = 100

/** Pages of records that `load` finds in order of their ids; none is empty. */
async function* pagesOf<Found extends { id: string }>(
  limit: number,
  load: (page: Page) => Promise<Found[]>
) {
  let after = ""
  for (;;) {
    const found = await load({ after, limit })
    const last = found.at(-1)
    if (!last) return
    yield found
    if (found.length < limit) return
    after = last.id
  }
}

/** Finds rows that differ from the list, and paid ones that it lacks unless it breaks off; tells of paid records without a row. */
export async function findInList(comparison: Comparison) {
  const { module, accounts, merchant, span, counts, differing } = comparison
  const listedAt = module.clock.now()
  const unknown = await unknownPayments(comparison)
  /** The paid record of each of our rows; another one is a second payment. */
  const paid = new Map<string, string>()
  const odd: OddTransaction[] = []
  const question = { ...span, timeZoneId: "UTC", ...codesToAskFor(merchant) }
  for await (const batch of readList(comparison, question, LONGEST_COMPARED_LIST_MS, odd)) {
    counts.records += batch.length
    const inOrder: string[] = []
    for (const { record: found, row } of batch) {
      // A payload that is no reference of ours is dropped, because it belongs to somebody else.
      const record = { ...found, payload: ourReference(found) }
      const { statuses } = (row && accounts.findForRow(row)) ?? merchant.accounts[0]
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
      if (!compareRecord(record, row, statuses, listedAt)) {
        inOrder.push(causeOfRecord(merchant.merchantId, record.recordId))
      } else if (row) {
        differing.set(row.id, isPaid ? record : null)
      } else {
        await unknown.add(record)
      }
    }
    await module.problems.close(inOrder)
  }
  await unknown.report()
  // The other direction: paid rows without a paid record. Beside them, rows whose problem the service's next answer ends.
  const ours = await module.reconciliation.paidRows(merchant, surelyListed(span))
  const unread = await module.reconciliation.unreadRows(merchant)
  for (const id of [...ours.filter((one) => !paid.has(one)), ...unread]) {
    differing.set(id, differing.get(id) ?? null)
  }
  return unreadableIn(odd)
}

/** The filter codes of all accounts. Unless every account names some, the list is empty, which means all. */
function codesToAskFor({ accounts }: ConfiguredMerchant) {
  const codesOf = (name: "statusCodes" | "methodCodes") => {
    const named = accounts.map((account) => Object.values(account.export[name]))
    return named.every((own) => own.length > 0) ? [...new Set(named.flat())] : []
  }
  return { statuses: codesOf("statusCodes"), paymentMethods: codesOf("methodCodes") }
}

/** The most open problems about single payments with unknown references; more come from another shop on this account. */
const MOST_SINGLY = 10
const MOST_NAMED = 100

/** Paid records without a row of ours. Ten with a reference like ours are told of singly, all others in one problem. */
async function unknownPayments(comparison: Comparison) {
  const { module, merchant, span, counts } = comparison
  const { baseUrl, merchantId, accounts } = merchant
  const ofRecords = { kind: "payment_not_here", cause: { $like: causeOfRecord(merchantId, "%") } }
  const known = await module.listProblems(
    // Problems about a row of ours have the same kind, but are not counted here.
    { ...ofRecords, transaction_row_id: null },
    { take: null, select: ["cause", "closed_at"] }
  )
  // Nothing opens again that a person has closed.
  const singly = new Set(known.map(({ cause }) => cause))
  let openSingly = known.filter(({ closed_at }) => closed_at === null).length
  let count = 0
  const sums = new Map<string, string>()
  const statuses = new Set<string>()
  const records: string[] = []
  return {
    async add(record: ListedRecord): Promise<void> {
      const { recordId, payload, status, amount, currencyCode: currency } = record
      const cause = causeOfRecord(merchantId, recordId)
      if (singly.has(cause) || (payload !== null && openSingly < MOST_SINGLY)) {
        if (!singly.has(cause)) openSingly++
        singly.add(cause)
        counts.differences++
        return await reportNotHere(comparison, record)
      }
      count++
      statuses.add(status)
      sums.set(currency, addAmounts(sums.get(currency) ?? "0", amount))
      if (records.length < MOST_NAMED) records.push(recordId.toLowerCase())
    },
    /** Tells of all others. Only a person closes that problem: an export may be incomplete, so a missing record proves nothing. */
    async report(): Promise<void> {
      if (!count) return
      const wereMethodsNamed = codesToAskFor(merchant).paymentMethods.length > 0
      const facts = {
        found: "foreign_payments" as const,
        baseUrl,
        merchantId,
        count,
        from: span.from.toISOString(),
        to: span.to.toISOString(),
        sums: [...sums].map(([currency, amount]) => ({ amount, currency })),
        statuses: [...statuses],
        methods: wereMethodsNamed ? Object.keys(accounts[0].export.methodCodes) : [],
        records,
      }
      // The problem's subject has no sum, since that changes every day.
      await module.problems.report(problem("payment_not_here", facts))
    },
  }
}

/** Reports a payment without a row, or whose row got no id, or that only the list calls paid, or that is the second one of its row. */
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

interface Held {
  payment: Payment
  row: TransactionRow | null
}

/** Finds our payments that Medusa captured in the span and whose rows do not know it. Whether sums fit, the orders' balances show. */
export async function findInMedusa(comparison: Comparison): Promise<Held[]> {
  const { container, module, merchant, span, counts, differing } = comparison
  const provider_id = await module.reconciliation.providersOf(merchant)
  const captured_at = { $gte: span.from.toISOString(), $lte: span.to.toISOString() }
  const medusa = new MedusaReader(container)
  const load = ({ after, limit }: Page) =>
    medusa.listPayments({ provider_id, captured_at, id: { $gt: after } }, { take: limit })
  const found: Held[] = []
  for await (const payments of pagesOf(PAYMENTS_AT_ONCE, load)) {
    const accounted: string[] = []
    for (const held of await withRows(comparison, payments)) {
      if (isAccountedFor(held.row)) accounted.push(causeOfPayment(held.payment.id))
      else found.push(held)
    }
    await module.problems.close(accounted)
  }
  for (const { row } of found) {
    if (row) differing.set(row.id, differing.get(row.id) ?? null)
    else counts.differences++
  }
  return found
}

/** Tells of what `findInMedusa` found and is not accounted for after its row was settled. */
export async function tellOfHeld({ module }: Comparison, found: Held[]): Promise<void> {
  for (const { payment, row: before } of found) {
    const row = before && (await module.transactions.get(before.id))
    if (isAccountedFor(row)) {
      await module.problems.close([causeOfPayment(payment.id)])
    } else if (row?.state !== "paid") {
      const sum = { amount: payment.amount, currency: payment.currency.toUpperCase() }
      const ours = row && { row: row.id, transaction: row.transaction_id }
      const facts = { found: "held_in_medusa", payment: payment.id, held: sum, ...ours } as const
      const subject = row ? subjectOf(row) : { transaction_id: transactionKey(payment) }
      await module.problems.report(problem("payment_not_there", facts), { ...subject, ...sum })
    }
  }
}

/** Whether the row knows that Medusa holds the money, or a person took care of it. */
function isAccountedFor(row: TransactionRow | null): boolean {
  if (row?.state !== "paid") return row?.handled_at != null
  return standingOf(row) !== "waiting_for_medusa"
}

/** Pairs the payments with their rows. Payments whose row has another merchant are left out. */
async function withRows({ module, merchant }: Comparison, payments: Payment[]): Promise<Held[]> {
  const keys = payments.map((payment) => transactionKey(payment) ?? "")
  const rows = await module.reconciliation.rowsOf(keys)
  const byKey = new Map(rows.map((row) => [row.transaction_id?.toLowerCase(), row]))
  return payments.flatMap((payment, index): Held[] => {
    const row = byKey.get(keys[index]) ?? null
    return row && !isSameMerchant(row.merchant_id, merchant.merchantId) ? [] : [{ payment, row }]
  })
}

function transactionKey({ data: { transaction_id: id } }: Payment): string | null {
  return typeof id === "string" && WHOLE_UUID.test(id) ? id.toLowerCase() : null
}

/** Looks, for all payments that Medusa has taken, of any age and merchant, whether they are still there, and what their orders are owed. */
export async function followSettled(comparison: Comparison): Promise<void> {
  const { module, counts } = comparison
  const ports = settlePortsOf(comparison.container)
  const load = (page: Page) => module.reconciliation.settledRows(page)
  for await (const rows of pagesOf(PAYMENTS_AT_ONCE, load)) {
    counts.differences += await tellOfGone(ports, rows)
    const orderIds = [...new Set(rows.flatMap(({ order_id }) => order_id ?? []))]
    for (const { order, due, payments } of await reportBalances(ports, orderIds)) {
      if (isOwed(due.back) || isOwed(due.owed)) counts.differences++
      if (order.isCanceled && payments.some(({ held }) => isOwed(held.amount))) {
        // Deletes a refund that core booked without proof when it canceled the order, even if a person keeps the money.
        await withDeadline(LONGEST_CHANGE_MS, takeBackUnprovenRefunds(ports, order.id))
      }
      await module.ledger.setToBook(payments.flatMap(({ held }) => held.unbooked))
    }
  }
}

/** Tells of payments that Medusa had taken and lost, and counts them: core deletes payment and order with a draft order that was paid. */
export async function tellOfGone({ module, medusa }: Ports, rows: TransactionRow[]) {
  // Money that was taken back, or that a person took care of, does not wait for an order.
  const settled = rows.filter((row) => standingOf(row) === "settled")
  if (!settled.length) return 0
  const payments = await medusa.listPayments({
    payment_collection_id: settled.map(({ payment_collection_id }) => payment_collection_id),
  })
  const orders = await medusa.listOrders({ id: settled.flatMap(({ order_id }) => order_id ?? []) })
  let gone = 0
  for (const row of settled) {
    if (row.order_id !== null && !orders.some(({ id }) => id === row.order_id)) {
      const ofRow = { transaction_row_id: row.id, currency: paidSum(row).currency }
      const ledger = await module.ledger.of([row.id])
      if (!isOwed(notGoneBack(paidSum(row).amount, ofRow, ledger))) continue
      const lost = await module.transactions.recordOrderGone(row.id)
      if (lost) await module.problems.openOrCloseFor(lost)
      gone++
    } else if (payments.some((payment) => payment.isCaptured && namesTransaction(payment, row))) {
      await module.problems.close([causeOfGone(row.id)])
    } else {
      const seen = { row: row.id, transaction: row.transaction_id, seen: inKopecks(paidSum(row)) }
      const found = problem("payment_not_there", { ...seen, found: "payment_gone" })
      await module.problems.report(found, subjectOf(row))
      gone++
    }
  }
  return gone
}
