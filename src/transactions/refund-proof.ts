import { namesTransaction } from "../medusa/payments"
import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { refusedPayment } from "../modules/payment-service/refused-deed"
import { compareSums } from "../settlement/amount"
import { isReversal } from "../settlement/ledger"
import { followOrderOf } from "./follow-order"
import type { Ports } from "./ports"
import { readTransaction } from "./read-transaction"
import { holdRefunds, proofsOf, unusedProofs } from "./refund-requests"

/** Short, because an admin waits for this read. */
export const LOOK_MS = 2_000

/** A refund as decimal text; `refundId` is null while Medusa has not written it down. */
interface AskedRefund {
  amount: string
  refundId: string | null
}

/**
 * Accepts a refund that an unused proof covers, which is this refund's from then on: two refunds at once cannot share one. A refund
 * that Medusa could not finish, and deleted, uses up no proof.
 *
 * @throws MedusaError `NOT_ALLOWED` when no proof of exactly this amount is left; for an order, the problem *refund due* is open
 * then
 */
export async function requireRefundProof(
  ports: Ports,
  row: TransactionRow,
  refund: AskedRefund
): Promise<void> {
  const orderId = await ports.medusa.findOrderId(row.payment_collection_id)
  const isCovered = await holdRefunds(ports.module, orderId ?? row.id, () =>
    coverOrAsk(ports, row, { ...refund, orderId })
  )
  if (isCovered) return
  const asked = orderId ? await followRequest(ports, row) : row
  throw refusedPayment(
    asked.exception === "reversed" ? "refund_of_reversed" : "refund_without_proof"
  )
}

/** @returns whether a proof covers the refund; else it is recorded as asked for, if the payment is an order's */
async function coverOrAsk(
  { module, medusa }: Ports,
  row: TransactionRow,
  { amount, refundId, orderId }: AskedRefund & { orderId: string | null }
): Promise<boolean> {
  const { id, payment_collection_id, currency } = row
  const payments = await medusa.listPayments({ payment_collection_id }, ["refunds"])
  const refunds = payments.flatMap((one) => (namesTransaction(one, row) ? one.refunds : []))
  // A refund that took so long that its process seemed dead is deleted by now, see `endRefunds`.
  if (refundId !== null && !refunds.some((refund) => refund.id === refundId)) return false
  const entries = await module.ledger.of([id])
  const others = refunds.filter((refund) => refund.id !== refundId)
  const unused = (proofs: LedgerEntryRow[]) =>
    unusedProofs(proofs, others).find((one) => compareSums(one.amount, amount) === 0)
  const proof = unused(proofsOf(row, entries))
  if (proof && (refundId === null || (await module.ledger.bind(proof, refundId)))) return true
  // The service has just confirmed the payment again whose reversal is being booked: nobody asked for that refund.
  if (orderId && !unused(entries.filter(isReversal))) {
    const asked = { transaction_row_id: id, amount, currency, refund_id: refundId }
    await module.ledger.add({ ...asked, kind: "asked" })
  }
  return false
}

/**
 * Opens the problem *refund due* for a requested refund. It reads the service first, because a person must not pay back money
 * that the service has taken back itself.
 *
 * @returns the row as it is now
 */
async function followRequest(ports: Ports, row: TransactionRow): Promise<TransactionRow> {
  const { module } = ports
  const accounts = await module.accounts()
  await readTransaction(module, accounts, row, { timeoutMs: LOOK_MS }).catch(() => undefined)
  const now = await module.transactions.get(row.id)
  await followOrderOf(ports, now)
  if (now.exception) {
    await module.problems.follow(now)
  }
  return now
}
