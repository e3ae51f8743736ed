import { namesTransaction } from "../medusa/reader"
import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { refusedPayment } from "../refusals/refused"
import { compareSums } from "../values/amount"
import { reportBalances } from "./follow-order"
import { lookAt, type Ports } from "./read-transaction"
import { isReversal, proofsOf, unusedProofs } from "./rules/ledger"

/** A refund as decimal text; `refundId` is null while Medusa has not written it down. */
interface AskedRefund {
  amount: string
  refundId: string | null
}

/**
 * Accepts a refund that an unused proof covers, which is this refund's from then on: two refunds at once cannot share one. A refund
 * that Medusa could not finish, and deleted, uses up no proof.
 *
 * @throws MedusaError `NOT_ALLOWED` when no proof of exactly this amount is left; the problem *refund due* of its order is open then
 */
export async function requireRefundProof(
  ports: Ports,
  row: TransactionRow,
  refund: AskedRefund
): Promise<void> {
  const { module, medusa } = ports
  const { isCovered, isGone, known } = await takeProof(ports, row, refund)
  if (isCovered) return
  const orderId = await medusa.findOrderId(row.payment_collection_id)
  let now = row
  if (orderId) {
    // A person must not pay back money that the service has taken back itself.
    await lookAt(module, await module.accounts(), row)
    now = await module.transactions.get(row.id)
    const { amount, refundId: refund_id } = refund
    const line = { kind: "asked", amount, refund_id, currency: row.currency } as const
    // Money that has gone back meanwhile may be what was asked for.
    if (!isGone && !(await module.ledger.ask({ ...line, transaction_row_id: row.id }, known))) {
      return await requireRefundProof(ports, now, refund)
    }
    await reportBalances(ports, [orderId])
    if (now.exception) await module.problems.openOrCloseFor(now)
  }
  throw refusedPayment(now.exception === "reversed" ? "refund_of_reversed" : "refund_without_proof")
}

/**
 * Looks for an unused proof of a refund, and makes it that refund's if Medusa has written it down.
 *
 * @returns `isGone`: nobody asks for it any more; `known`: the lines of the ledger in which no proof was found
 */
export async function takeProof(
  { module, medusa }: Ports,
  row: TransactionRow,
  { amount, refundId }: AskedRefund
): Promise<{ isCovered: boolean; isGone: boolean; known: LedgerEntryRow[] }> {
  for (;;) {
    // The lines are read before the refunds: a proof that another refund gets in between is not taken from it below.
    const known = await module.ledger.of([row.id])
    const { payment_collection_id } = row
    const payments = await medusa.listPayments({ payment_collection_id })
    const refunds = payments.flatMap((one) => (namesTransaction(one, row) ? one.refunds : []))
    // A refund that took so long that its process seemed dead is deleted by now, see `findEnded`.
    const isDeleted = refundId !== null && !refunds.some(({ id }) => id === refundId)
    if (isDeleted) return { isCovered: false, isGone: true, known }
    const others = refunds.filter(({ id }) => id !== refundId)
    const unused = (proofs: LedgerEntryRow[]) =>
      unusedProofs(proofs, others).find((one) => compareSums(one.amount, amount) === 0)
    const proof = unused(proofsOf(row, known))
    if (!proof) {
      // The service has just confirmed the payment again whose reversal is being booked: nobody asked for that refund.
      return { isCovered: false, isGone: unused(known.filter(isReversal)) !== undefined, known }
    }
    const isTaken = refundId === null || (await module.ledger.bind(proof, refundId))
    if (isTaken) return { isCovered: true, isGone: false, known }
  }
}
