import type { MedusaContainer } from "@medusajs/framework/types"

import { listPayments, type Payment } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { WHOLE_UUID } from "../../service/uuid"
import { causeOfPayment } from "../../settlement/cause"
import type { SingleRead } from "../../settlement/compare-record"
import { isSameMerchant } from "../../settlement/merchant-account"
import { type FoundProblem, problem } from "../../settlement/problems"
import { standingOf } from "../../settlement/standing"
import { meaningOf } from "../../settlement/transaction-status"
import type { Comparison } from "./comparison"
import { type Page, pagesOf } from "./pages"

const PAGE = 100

/**
 * Compares Medusa's payments with our rows: each payment of ours that was captured in the span must have a row that is paid and
 * settled, and must be its only one. Whether the sums fit, the orders' balances show.
 */
export async function comparePayments(comparison: Comparison): Promise<void> {
  const { container, module, merchant, span } = comparison
  const providers = await module.reconciliation.providersOf(merchant)
  const captured_at = { $gte: span.from.toISOString(), $lte: span.to.toISOString() }
  const load = ({ after, limit }: Page) =>
    listPayments(container, { provider_id: providers, captured_at, id: { $gt: after } }, [], limit)
  for await (const payments of pagesOf(PAGE, load)) await comparePage(comparison, payments)
}

/** A captured payment of ours as Medusa holds it. */
interface Held {
  payment: Payment
  row: TransactionRow | null
  /** Whether another captured payment names the same transaction. */
  isSecond: boolean
}

async function comparePage(comparison: Comparison, page: Payment[]): Promise<void> {
  const { module, counts } = comparison
  const held = await withRows(comparison, page)
  const differing = held.filter((one) => one.isSecond || !isAccountedFor(one.row))
  counts.differences += differing.length
  await comparison.forEach(differing, (one) => settleHeld(comparison, one))
  const inOrder = held.filter((one) => !differing.includes(one))
  await module.problems.close(inOrder.map(({ payment }) => causeOfPayment(payment.id)))
}

/** Whether the row knows that Medusa holds the money, or a person took care of it. */
function isAccountedFor(row: TransactionRow | null): boolean {
  if (row?.state !== "paid") return row?.handled_at != null
  return standingOf(row) !== "waiting_for_medusa"
}

/** Pairs the payments with their rows. Payments whose row has another merchant are left out. */
async function withRows({ container, module, merchant }: Comparison, page: Payment[]) {
  const rows = await module.listTransactions(
    {
      $or: [
        { transaction_key: page.map((payment) => transactionKey(payment) ?? "") },
        { session_id: page.map(({ sessionId }) => sessionId) },
      ],
    },
    { take: null }
  )
  const byKey = new Map(rows.map((row) => [row.transaction_key, row]))
  const bySession = new Map(rows.map((row) => [row.session_id, row]))
  const counts = await countCaptured(container, rows)
  return page.flatMap((payment): Held[] => {
    const key = transactionKey(payment)
    const row = (key && byKey.get(key)) || bySession.get(payment.sessionId) || null
    if (row && !isSameMerchant(row.merchant_id, merchant.merchantId)) return []
    const isSecond = key !== null && (counts.get(key) ?? 1) > 1 && row?.handled_at === null
    return [{ payment, row, isSecond }]
  })
}

/** Counts the captured payments of each transaction, in the collections and sessions of its row. */
async function countCaptured(
  container: MedusaContainer,
  rows: TransactionRow[]
): Promise<Map<string, number>> {
  const captured = rows.length
    ? await listPayments(container, {
        $or: [
          { payment_collection_id: rows.map((row) => row.payment_collection_id) },
          { payment_session_id: rows.flatMap((row) => [row.session_id, row.first_session_id]) },
        ],
        captured_at: { $ne: null },
      })
    : []
  const counts = new Map<string, number>()
  for (const payment of captured) {
    const key = transactionKey(payment)
    if (key) counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return counts
}

async function settleHeld(
  comparison: Comparison,
  { payment, row: before, isSecond }: Held
): Promise<void> {
  const { module, counts } = comparison
  const sum = { amount: payment.amount, currency: payment.currency.toUpperCase() }
  const facts = { payment: payment.id, held: sum }
  const report = async (found: FoundProblem) =>
    await module.problems.report(found, {
      ...(before ? subjectOf(before) : { transaction_id: transactionKey(payment) }),
      ...sum,
    })

  if (!before) {
    const { isPaid, unreadable } = await readThere(comparison, payment)
    return await report(
      isPaid || unreadable
        ? problem("records_differ", { ...facts, found: "never_opened", reason: unreadable })
        : problem("payment_not_there", { ...facts, found: "known_to_nobody" })
    )
  }
  const ours = { ...facts, row: before.id, transaction: before.transaction_id }
  if (isSecond && isAccountedFor(before)) {
    return await report(problem("records_differ", { ...ours, found: "captured_twice" }))
  }
  const { isKnownThere, unreadable } = before.transaction_id
    ? await comparison.settle(before.id)
    : { isKnownThere: false, unreadable: null }
  const row = await module.transactions.get(before.id)
  if (isAccountedFor(row) && isSecond) {
    await report(problem("records_differ", { ...ours, found: "captured_twice" }))
  } else if (isAccountedFor(row)) {
    counts.settled++
    await module.problems.close([causeOfPayment(payment.id)])
  } else if (unreadable !== null) {
    await report(problem("records_differ", { ...ours, found: "unreadable", reason: unreadable }))
  } else if (
    row.state !== "paid" ||
    meaningOf(row.status ?? "", comparison.statusesOf(row)) !== "paid"
  ) {
    const status = isKnownThere ? (row.status ?? "") : null
    await report(problem("payment_not_there", { ...ours, found: "held_in_medusa", status }))
  }
}

/** Asks the service about a payment that has no row. */
async function readThere(
  comparison: Comparison,
  payment: Payment
): Promise<{ isPaid: boolean } & Pick<SingleRead, "unreadable">> {
  const { accounts, merchant } = comparison
  const key = transactionKey(payment)
  if (!key) return { isPaid: false, unreadable: null }
  const { answer, unreadable } = await comparison.askSingle(() =>
    accounts.clientAt(merchant).getTransaction(key)
  )
  const isPaid = answer !== null && meaningOf(answer.status, comparison.statusesOf(null)) === "paid"
  return { isPaid, unreadable }
}

/** The transaction's id in the payment's data; in lower case, like the rows' keys. */
function transactionKey({ data: { transaction_id: id } }: Payment): string | null {
  return typeof id === "string" && WHOLE_UUID.test(id) ? id.toLowerCase() : null
}
