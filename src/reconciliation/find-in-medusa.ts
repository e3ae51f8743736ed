import { listPayments, type Payment } from "../medusa/reader"
import type { TransactionRow } from "../modules/payment-service"
import { isSameMerchant, standingOf } from "../payments/rules/transaction"
import { causeOfPayment, problem } from "../problems/rules/problems"
import { subjectOf } from "../problems/statements/problems"
import { WHOLE_UUID } from "../service/schemas"
import { type Comparison, pagesOf } from "./comparison"
import type { Page } from "./statements/runs"

const PAGE = 100

/** A captured payment of Medusa's, with our row of it. */
interface Held {
  payment: Payment
  row: TransactionRow | null
}

/** Finds our payments that Medusa captured in the span and whose rows do not know it. Whether sums fit, the orders' balances show. */
export async function findInMedusa(comparison: Comparison): Promise<Held[]> {
  const { container, module, merchant, span, differing } = comparison
  const provider_id = await module.reconciliation.providersOf(merchant)
  const captured_at = { $gte: span.from.toISOString(), $lte: span.to.toISOString() }
  const load = ({ after, limit }: Page) =>
    listPayments(container, { provider_id, captured_at, id: { $gt: after } }, { take: limit })
  const found: Held[] = []
  for await (const payments of pagesOf(PAGE, load)) {
    const held = await withRows(comparison, payments)
    const accounted = held.filter(({ row }) => isAccountedFor(row))
    await module.problems.close(accounted.map(({ payment }) => causeOfPayment(payment.id)))
    found.push(...held.filter((one) => !accounted.includes(one)))
  }
  for (const { row } of found) {
    if (row) differing.set(row.id, differing.get(row.id) ?? null)
    else comparison.counts.differences++
  }
  return found
}

/** Tells of what was found and is not accounted for after its row was settled. */
export async function tellOfHeld({ module }: Comparison, found: Held[]): Promise<void> {
  for (const { payment, row: before } of found) {
    const row = before && (await module.transactions.get(before.id))
    if (isAccountedFor(row)) {
      await module.problems.close([causeOfPayment(payment.id)])
    } else if (row?.state !== "paid") {
      const sum = { amount: payment.amount, currency: payment.currency.toUpperCase() }
      const ours = row && { row: row.id, transaction: row.transaction_id }
      await module.problems.report(
        problem("payment_not_there", {
          found: "held_in_medusa",
          payment: payment.id,
          held: sum,
          ...ours,
        }),
        { ...(row ? subjectOf(row) : { transaction_id: transactionKey(payment) }), ...sum }
      )
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
  const rows = await module.reconciliation.rowsOf(
    payments.flatMap((payment) => transactionKey(payment) ?? []),
    payments.map(({ sessionId }) => sessionId)
  )
  const byKey = new Map(rows.map((row) => [row.transaction_id?.toLowerCase(), row]))
  const bySession = new Map(rows.map((row) => [row.session_id, row]))
  return payments.flatMap((payment): Held[] => {
    const key = transactionKey(payment)
    const row = (key && byKey.get(key)) || bySession.get(payment.sessionId) || null
    return row && !isSameMerchant(row.merchant_id, merchant.merchantId) ? [] : [{ payment, row }]
  })
}

/** The transaction's id in the payment's data; in lower case. */
function transactionKey({ data: { transaction_id: id } }: Payment): string | null {
  return typeof id === "string" && WHOLE_UUID.test(id) ? id.toLowerCase() : null
}
