import type { MedusaContainer } from "@medusajs/framework/types"

import { listPayments, type Payment, type PaymentParts } from "../../medusa/payments"
import { sumOf } from "../../settlement/amount"
import type { TransactionRow } from "../../modules/payment-service"
import { subjectOf } from "../../modules/payment-service/problems"
import { WHOLE_UUID } from "../../service/uuid"
import { causeOfPayment } from "../../settlement/cause"
import {
  comparePayment,
  type HeldPayment,
  type PaymentDifference,
} from "../../settlement/compare-payment"
import type { SingleRead } from "../../settlement/compare-record"
import { isSameMerchant } from "../../settlement/merchant-account"
import { type FoundProblem, problem } from "../../settlement/problems"
import { meaningOf } from "../../settlement/transaction-status"
import type { Comparison } from "./comparison"

const PAGE = 100

/**
 * Compares Medusa's payments with our rows: each payment of ours that was captured in the span must have a row that is paid and
 * settled over the same sum, and must be captured once.
 */
export async function comparePayments(comparison: Comparison): Promise<void> {
  const { container, module, merchant, span } = comparison
  const providers = await module.reconciliation.providersOf(merchant)
  let after = ""
  for (;;) {
    const page = await listPayments(
      container,
      {
        provider_id: providers,
        captured_at: { $gte: span.from.toISOString(), $lte: span.to.toISOString() },
        id: { $gt: after },
      },
      ["captures"],
      PAGE
    )
    await comparePage(comparison, page)
    if (page.length < PAGE) {
      return
    }
    after = page.at(-1)?.id ?? ""
  }
}

type CapturedPayment = Payment & Pick<PaymentParts, "captures">

interface Held {
  payment: Payment
  held: HeldPayment
  row: TransactionRow | null
}

async function comparePage(comparison: Comparison, page: CapturedPayment[]): Promise<void> {
  const { module, counts } = comparison
  const inOrder: string[] = []
  const differing: [PaymentDifference, Held][] = []
  for (const one of await withRows(comparison, page)) {
    const difference = comparePayment(one.held, one.row)
    if (difference) {
      differing.push([difference, one])
    } else {
      inOrder.push(causeOfPayment(one.payment.id))
    }
  }
  counts.differences += differing.length
  await comparison.forEach(differing, ([difference, one]) =>
    settleHeld(comparison, difference, one)
  )
  await module.problems.close(inOrder)
}

/** Pairs the payments with their rows. Payments whose row has another merchant are left out. */
async function withRows({ container, module, merchant }: Comparison, page: CapturedPayment[]) {
  const rows = page.length
    ? await module.listTransactions(
        {
          $or: [
            { transaction_key: page.map((payment) => transactionKey(payment) ?? "") },
            { session_id: page.map(({ sessionId }) => sessionId) },
          ],
        },
        { take: null }
      )
    : []
  const byKey = new Map(rows.map((row) => [row.transaction_key, row]))
  const bySession = new Map(rows.map((row) => [row.session_id, row]))
  const others = await countCaptures(container, rows)
  return page.flatMap((payment): Held[] => {
    const key = transactionKey(payment)
    const row = (key && byKey.get(key)) || bySession.get(payment.sessionId) || null
    if (row && !isSameMerchant(row.merchant_id, merchant.merchantId)) {
      return []
    }
    const held = {
      amount: payment.amount,
      currency: payment.currency,
      captured: sumOf(payment.captures),
      others: key ? Math.max((others.get(key) ?? 1) - 1, 0) : 0,
    }
    return [{ payment, held, row }]
  })
}

/** Counts the captured payments of each transaction, in the collections and sessions of its row. */
async function countCaptures(
  container: MedusaContainer,
  rows: TransactionRow[]
): Promise<Map<string, number>> {
  const captured = rows.length
    ? await listPayments(container, {
        $or: [
          { payment_collection_id: rows.map((row) => row.payment_collection_id) },
          { payment_session_id: rows.flatMap((row) => [row.session_id, row.return_session_id]) },
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
  difference: PaymentDifference,
  { payment, held, row: before }: Held
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
    await report(
      isPaid || unreadable
        ? problem("records_differ", { ...facts, found: "never_opened", reason: unreadable })
        : problem("payment_not_there", { ...facts, found: "known_to_nobody" })
    )
    return
  }
  const ours = { ...facts, row: before.id, transaction: before.transaction_id }
  switch (difference) {
    case "amount": {
      const expected = {
        amount: before.accepted?.amount ?? before.amount,
        currency: before.currency,
      }
      await report(problem("records_differ", { ...ours, found: "other_sum", expected }))
      return
    }
    case "captured_twice":
      await report(problem("records_differ", { ...ours, found: "captured_twice" }))
      return
    case "no_row":
    case "not_paid":
    case "not_settled": {
      const { isKnownThere, unreadable } = before.transaction_id
        ? await comparison.settle(before.id)
        : { isKnownThere: false, unreadable: null }
      const row = await module.transactions.get(before.id)
      const left = comparePayment(held, row)
      if (left === null) {
        counts.settled++
        await module.problems.close([causeOfPayment(payment.id)])
      } else if (unreadable !== null) {
        await report(
          problem("records_differ", { ...ours, found: "unreadable", reason: unreadable })
        )
      } else if (
        left === "not_paid" ||
        meaningOf(row.status ?? "", comparison.statusesOf(row)) !== "paid"
      ) {
        const status = isKnownThere ? (row.status ?? "") : null
        await report(problem("payment_not_there", { ...ours, found: "held_in_medusa", status }))
      }
    }
  }
}

/** Asks the service about a payment that has no row. */
async function readThere(
  comparison: Comparison,
  payment: Payment
): Promise<{ isPaid: boolean } & Pick<SingleRead, "unreadable">> {
  const { accounts, merchant } = comparison
  const key = transactionKey(payment)
  if (!key) {
    return { isPaid: false, unreadable: null }
  }
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
