import { atLabelledPoint } from "../database/labelled-points"
import { type Booking } from "../medusa/payments"
import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { refused } from "../refusals/refused"
import {
  compareAmounts,
  compareSums,
  remainder,
  smaller,
  subtractAmounts,
  sumOf,
} from "../values/amount"
import type { SettlePorts } from "./core"
import { followOrderOf, followOrders } from "./follow-order"
import { loadMedusaState } from "./load-medusa-state"
import type { MedusaState } from "./rules/evidence"
import { isReversal, proofsOf, provenRefunds, unusedProofs } from "./rules/ledger"
import { paidSum } from "./rules/transaction"
import { requireLock, withTargetLock } from "./target-lock"
import { bookingsOf, deleteUnprovenBookings, endCredits, endRefunds } from "./unproven-refunds"

interface ProvenRefund {
  /** A transaction whose payment Medusa has captured. */
  row: TransactionRow
  /** The sum that went back without a payout, as decimal text in the payment's currency; null when only payouts paid it back. */
  proof: Pick<LedgerEntryRow, "kind" | "amount" | "problem_id" | "note" | "by"> | null
}

/**
 * Records that money of a payment went back, and makes Medusa book that and proven payouts. A problem has one proof for money
 * outside, and a payout one proof. Bookings follow the proofs, so this may run again after it was killed. While the order is being
 * changed, Medusa can book nothing: `bookLate` does that when the change has ended. The caller must hold the target, as
 * `actOnProblem` does.
 *
 * @returns whether it is booked now
 * @throws MedusaError `NOT_ALLOWED` while core asks for another refund, or when Medusa has lost the payment
 */
export async function proveAndBookRefund(
  ports: SettlePorts,
  { row, proof }: ProvenRefund
): Promise<boolean> {
  const { module } = ports
  const state = await loadMedusaState(ports, row)
  if (state.order) await endCredits(ports, state.order.id)
  if (proof) {
    const { currency } = paidSum(row)
    requireLock()
    await module.ledger.add({ ...proof, transaction_row_id: row.id, currency })
  }
  if (await isBeingChanged(ports, state)) return false
  await bookProofs(ports, row, state)
  return true
}

/**
 * Closes what is over by now of an order's money, also when the next change follows at once. Then it books what went back while the
 * order was being changed.
 */
export async function followChange(ports: SettlePorts, orderId: string): Promise<void> {
  if (!(await ports.module.ledger.isConcerned(orderId))) return
  const followed = await followOrders(ports, [orderId], { opens: false })
  for (const { row, held } of followed.flatMap(({ payments }) => payments)) {
    if (held.unbooked.length) await bookLate(ports, row)
  }
}

/** Books what went back while the order was being changed, and was recorded then. */
export async function bookLate(ports: SettlePorts, row: TransactionRow): Promise<void> {
  await withTargetLock(ports, row, (now) => bookWaiting(ports, now))
  await followOrderOf(ports, row)
}

/** The same for a caller that holds the target. */
export async function bookWaiting(ports: SettlePorts, row: TransactionRow): Promise<void> {
  const state = await loadMedusaState(ports, row)
  if (state.order) await endCredits(ports, state.order.id)
  if (state.payment?.captured && !(await isBeingChanged(ports, state))) {
    await bookProofs(ports, row, state)
  }
}

async function isBeingChanged({ medusa }: SettlePorts, { order }: MedusaState): Promise<boolean> {
  return order !== null && !order.canceled && (await medusa.isBeingChanged(order.id))
}

/** Makes Medusa refund each unused proof, and books its refunds on the order. */
async function bookProofs(
  ports: SettlePorts,
  row: TransactionRow,
  { payment, order }: MedusaState
): Promise<void> {
  const { module, medusa, core } = ports
  if (!payment?.captured) throw refused("payment_lost")
  await atLabelledPoint("refund:proved")
  await endRefunds(ports, row, { paymentId: payment.id, orderId: order?.id ?? null })
  for (;;) {
    const [{ captures, refunds } = { captures: [], refunds: [] }] = await medusa.listPayments({
      id: payment.id,
    })
    const proofs = proofsOf(row, await module.ledger.of([row.id]))
    const proven = provenRefunds(proofs, refunds)
    const unused = unusedProofs(proofs, refunds)
    if (order) {
      const reversed = provenRefunds(proofs.filter(isReversal), proven).map(({ id }) => id)
      const lowersWorth = ({ id }: Booking) => !order.canceled && !reversed.includes(id)
      await bookOnOrder(ports, order.id, proven, { currency: row.currency, lowersWorth })
    }
    const held = subtractAmounts(sumOf(captures), sumOf(refunds))
    // The proofs may exceed the money that Medusa holds, because a payout that a person took for lost was made after all.
    const next = unused.find(({ amount }) => compareSums(amount, held) <= 0)
    if (!next) {
      // Core writes a refund down before our provider refuses it. Until then it takes up the money of a proof.
      const left = subtractAmounts(sumOf(captures), sumOf(proven))
      if (unused.some(({ amount }) => compareSums(amount, left) <= 0)) {
        throw refused("refund_being_asked")
      }
      if (order?.canceled) {
        // Core may have booked the same refund when it canceled the order; that booking names the payment.
        await deleteUnprovenBookings(ports, order.id, [{ id: payment.id, refunds: proven }])
      }
      await atLabelledPoint("refund:booked")
      return
    }
    await core.refundPayment(payment.id, smaller(next.amount, held), next)
  }
}

/**
 * Books refunds that the order lacks. As core does, it lowers the order's worth by what was not paid too much: else that money
 * would be owed again, as it is after a reversal, which takes money back for goods that the customer keeps. That credit is opened
 * first, because its amount cannot be found out any more once the refund is booked.
 */
async function bookOnOrder(
  ports: SettlePorts,
  orderId: string,
  refunds: Booking[],
  { currency, lowersWorth }: { currency: string; lowersWorth: (refund: Booking) => boolean }
): Promise<void> {
  const { medusa, core } = ports
  const refundIds = refunds.map(({ id }) => id)
  const booked = await bookingsOf(ports, orderId, refundIds)
  for (const refund of refunds) {
    if (booked.some(({ referenceId }) => referenceId === refund.id)) continue
    const [before] = await medusa.listOrderMoney([orderId])
    const overpaid = remainder(0, before?.outstanding ?? 0)
    const amount = lowersWorth(refund) ? remainder(refund.amount, overpaid) : "0"
    const credit =
      compareAmounts(amount, 0) > 0
        ? await core.openCredit(orderId, { refundId: refund.id, amount })
        : null
    await core.bookRefund(orderId, refund, currency)
    if (credit !== null) await core.confirmCredit(credit)
  }
}
