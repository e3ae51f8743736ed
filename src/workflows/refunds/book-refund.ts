import { type Booking, sumOf } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import { atLabelledPoint } from "../../modules/payment-service/labelled-points"
import { refused } from "../../modules/payment-service/refused-deed"
import type { MedusaState } from "../../settlement/evidence"
import { compareAmounts, remainder, subtractAmounts } from "../../settlement/amount"
import { matchProofs } from "../../settlement/proven-refunds"
import { paidSum } from "../../settlement/transaction"
import { holdRefunds, withoutRefused } from "../../transactions/refund-requests"
import { loadMedusaState } from "../../transactions/load-medusa-state"
import type { SettlePorts } from "../ports"
import { endCredits } from "./end-credits"
import { endRefunds, listRefunds } from "./end-refunds"
import { deleteUnprovenBookings } from "./take-back-unproven-refunds"

interface ProvenRefund {
  /** A transaction whose payment Medusa has captured. */
  row: TransactionRow
  /** The problem for which the money was paid back, if there is one. */
  problemId: string | null
  /** The sum that went back outside, as decimal text in the payment's currency; null when only payouts paid it back. */
  proof: { amount: string; kind: "outside"; note: string | null; given_by: string | null } | null
}

/**
 * Records that money of a payment went back, and makes Medusa book that and proven payouts. A problem has one proof for money
 * outside, and a payout one proof. Bookings follow the proofs, so this may run again after it was killed. The caller must hold
 * the target, as `actOnProblem` does.
 *
 * @throws MedusaError `NOT_ALLOWED` while the order is being changed or core asks for another refund, or when Medusa has lost the
 * payment
 */
export async function proveAndBookRefund(
  ports: SettlePorts,
  { row, problemId, proof }: ProvenRefund
): Promise<void> {
  const { module, medusa } = ports
  const state = await loadMedusaState(ports, row)
  if (state.order) await endCredits(ports, state.order.id)
  if (state.order && !state.order.canceled && (await medusa.isBeingChanged(state.order.id))) {
    throw refused("order_being_changed")
  }
  const outside = { problem_id: problemId, kind: "outside" } as const
  const [known] = problemId ? await module.listRefundProofs(outside) : []
  if (proof && !known) {
    await holdRefunds(module, row.id, () =>
      module.createRefundProofs({
        ...proof,
        transaction_row_id: row.id,
        problem_id: problemId,
        currency: paidSum(row).currency,
        given_at: module.clock.now(),
      })
    )
  }
  await atLabelledPoint("refund:proved")
  await bookProofs(ports, row, state)
}

/** Makes Medusa refund each unused proof, and books its refunds on the order. */
async function bookProofs(
  ports: SettlePorts,
  row: TransactionRow,
  { payment, order }: MedusaState
): Promise<void> {
  const { module, medusa, core } = ports
  if (!payment?.captured) {
    throw refused("payment_lost")
  }
  const refunded = { paymentId: payment.id, orderId: order?.id ?? null }
  await endRefunds(ports, row, refunded)
  const proofs = await module.listRefundProofs({ transaction_row_id: row.id }, { take: null })
  const [{ captures } = { captures: [] }] = await medusa.listPayments({ id: payment.id }, [
    "captures",
  ])
  for (;;) {
    const refunds = withoutRefused(
      await listRefunds(ports, refunded),
      await module.transactions.get(row.id)
    )
    const { proven, unused } = matchProofs(proofs, refunds)
    if (order) {
      const lowersWorth = !order.canceled && row.exception !== "reversed"
      await bookOnOrder(ports, order.id, proven, { currency: row.currency, lowersWorth })
    }
    const held = subtractAmounts(sumOf(captures), sumOf(refunds))
    // The proofs may exceed the money that Medusa holds, because a payout that a person took for lost was made after all.
    const next = unused.find(({ amount }) => compareAmounts(amount, held) <= 0)
    if (!next) {
      // Core writes a refund down before our provider refuses it. Until then it takes up the money of a proof.
      const left = subtractAmounts(sumOf(captures), sumOf(proven))
      if (unused.some(({ amount }) => compareAmounts(amount, left) <= 0)) {
        throw refused("refund_being_asked")
      }
      if (order?.canceled) {
        // Core may have booked the same refund when it canceled the order; that booking names the payment.
        await deleteUnprovenBookings(ports, order.id, [{ id: payment.id, refunds: proven }])
      }
      return
    }
    const { amount, note, given_by } = next
    await core.refundPayment({ paymentId: payment.id, amount, note, by: given_by })
  }
}

/**
 * Books refunds that the order lacks. As core does, it lowers the order's worth by what was not paid too much: else that money
 * would be owed again, as it is after a reversal, which takes money back for goods that the customer keeps. That credit is opened
 * first, because its amount cannot be found out any more once the refund is booked.
 */
async function bookOnOrder(
  { medusa, core }: SettlePorts,
  orderId: string,
  refunds: Booking[],
  { currency, lowersWorth }: { currency: string; lowersWorth: boolean }
): Promise<void> {
  const booked = await medusa.listBookings(orderId, {
    reference: "refund",
    reference_id: refunds.map(({ id }) => id),
  })
  for (const refund of refunds) {
    if (booked.some(({ referenceId }) => referenceId === refund.id)) continue
    const [before] = await medusa.listOrderMoney([orderId])
    const overpaid = remainder(0, before?.outstanding ?? 0)
    const amount = lowersWorth ? remainder(refund.amount, overpaid) : "0"
    const credit =
      compareAmounts(amount, 0) > 0
        ? await core.openCredit(orderId, { refundId: refund.id, amount })
        : null
    await core.bookRefund(orderId, refund, currency)
    if (credit !== null) await core.confirmCredit(credit)
  }
}
