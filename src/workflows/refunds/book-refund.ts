import { MedusaError } from "@medusajs/framework/utils"

import { sumOf } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import { compareAmounts } from "../../settlement/amount"
import { loadMedusaState } from "../settle/load-medusa-state"
import type { SettlePorts } from "../settle/ports"

interface ProvenRefund {
  /** A transaction whose payment Medusa has captured. */
  row: TransactionRow
  /** The problem that the money was paid back for, if it was for one. */
  problemId: string | null
  proof: Sum & { kind: "outside"; note: string; given_by: string | null }
}

interface Sum {
  /** Decimal text, in the payment's currency. */
  amount: string
}

/**
 * Records that money of a payment went back, and has Medusa book that. A problem has one proof only, and what
 * is booked follows the proofs, so this may run again after it was killed. The caller must hold the target, as
 * `actOnProblem` does.
 *
 * @throws MedusaError `UNEXPECTED_STATE` when Medusa has lost the payment
 */
export async function proveAndBookRefund(
  ports: SettlePorts,
  { row, problemId, proof }: ProvenRefund
): Promise<void> {
  const { module } = ports
  const [known] = problemId ? await module.listRefundProofs({ problem_id: problemId }) : []
  if (!known) {
    await module.createRefundProofs({
      ...proof,
      transaction_row_id: row.id,
      problem_id: problemId,
      currency: row.read_currency ?? row.currency,
      given_at: module.clock.now(),
    })
  }
  await bookProofs(ports, row)
}

/** Has Medusa refund each proof that it has not refunded yet, and books its refunds on the order. */
async function bookProofs(ports: SettlePorts, row: TransactionRow): Promise<void> {
  const { module, medusa, core } = ports
  const { payment, order } = await loadMedusaState(ports, row)
  if (!payment?.captured) {
    throw new MedusaError(
      MedusaError.Types.UNEXPECTED_STATE,
      "Medusa no longer shows the payment that it captured. Nothing was booked."
    )
  }
  const proofs = await module.listRefundProofs({ transaction_row_id: row.id }, { take: null })
  for (;;) {
    const [{ refunds } = { refunds: [] }] = await medusa.listPayments({ id: payment.id }, [
      "refunds",
    ])
    if (order) {
      // Before the next refund: core's workflow would book what a killed one has left with the next one's amount.
      await bookOnOrder(ports, order.id, row.currency, refunds)
    }
    const proof = firstUnused(proofs, refunds)
    if (!proof) {
      return
    }
    const { amount, note, given_by } = proof
    const refund = { paymentId: payment.id, amount, note, by: given_by }
    if (order && !order.canceled) {
      await core.refundOrderPayment(refund)
    } else {
      await core.refundPayment(refund)
    }
  }
}

/**
 * The first proof that no refund of its amount uses up. None when as much is refunded as is proved: a refund
 * that core wrote down and was killed before its end stands in for the proofs.
 */
function firstUnused<Proof extends Sum>(proofs: Proof[], refunds: Sum[]): Proof | undefined {
  if (compareAmounts(sumOf(refunds), sumOf(proofs)) >= 0) {
    return undefined
  }
  const unused = [...proofs]
  for (const { amount } of refunds) {
    const used = unused.findIndex((proof) => compareAmounts(proof.amount, amount) === 0)
    if (used >= 0) unused.splice(used, 1)
  }
  return unused[0]
}

/**
 * Books every refund on the order that is not booked yet. Core's workflow refuses a canceled order, whose worth
 * it would change, and if it is killed, it has refunded without booking.
 */
async function bookOnOrder(
  { medusa, core }: SettlePorts,
  orderId: string,
  currency: string,
  refunds: (Sum & { id: string })[]
): Promise<void> {
  const booked = await medusa.listBookings(orderId, {
    reference: "refund",
    reference_id: refunds.map(({ id }) => id),
  })
  const missing = refunds.filter(({ id }) => !booked.some(({ referenceId }) => referenceId === id))
  if (missing.length) {
    await core.bookRefunds(orderId, missing, currency)
  }
}
