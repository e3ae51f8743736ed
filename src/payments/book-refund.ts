import { atLabelledPoint } from "../database/labelled-points"
import { type Booking, namesTransaction, type Refund } from "../medusa/reader"
import type { LedgerEntryRow, TransactionRow } from "../modules/payment-service"
import { refused } from "../refusals/refused"
import {
  absoluteAmount,
  compareAmounts,
  compareSums,
  remainder,
  smaller,
  subtractAmounts,
  sumOf,
} from "../values/amount"
import { loadMedusaState, type SettlePorts } from "./ports"
import { reportBalances } from "./follow-order"
import type { MedusaState } from "./rules/decide"
import { isReversal, provenRefunds, unusedProofs } from "./rules/ledger"
import { providerIdOf } from "./rules/transaction"

const DEAD_AFTER_MS = 2 * 60_000

/** Closes what is over by now of an order's money, and has booked soon what went back while the order was being changed. */
export async function reportAndBookAfterChange(ports: SettlePorts, orderId: string): Promise<void> {
  const { ledger } = ports.module
  if (!(await ledger.isConcerned(orderId))) return
  const followed = await reportBalances(ports, [orderId], { opens: false })
  const unbooked = followed.flatMap(({ payments }) => payments.flatMap(({ held }) => held.unbooked))
  await ledger.setToBook(unbooked)
}

/**
 * Makes Medusa book what went back of a payment, as far as it holds it, and may run again after it was killed. The caller must hold the
 * target, and record with `Ledger.setToBook` that the returned proofs need nothing more.
 *
 * @returns null while the order is being changed, because Medusa can book nothing then
 * @throws MedusaError `NOT_ALLOWED` while core asks for another refund
 */
export async function bookWaiting(
  ports: SettlePorts,
  row: TransactionRow
): Promise<LedgerEntryRow[] | null> {
  const { order, payment } = await loadMedusaState(ports, row)
  if (order && !order.isCanceled) {
    const deadBefore = new Date(ports.module.clock.now().getTime() - DEAD_AFTER_MS)
    await ports.core.endDeadCredits(order.id, deadBefore)
    if (await ports.medusa.isBeingChanged(order.id)) return null
  }
  const waiting = (await ports.module.ledger.of([row.id])).filter(({ to_book_at: at }) => at)
  if (payment?.isCaptured) await bookProofs(ports, row, payment.id, order)
  return waiting
}

/** Makes Medusa refund each unused proof, and books its refunds on the order. */
async function bookProofs(
  ports: SettlePorts,
  row: TransactionRow,
  paymentId: string,
  order: MedusaState["order"]
): Promise<void> {
  const { module, medusa, core } = ports
  await atLabelledPoint("refund:proved")
  for (;;) {
    const [payment] = await medusa.listPayments({ id: paymentId })
    const { captures = [], refunds = [] } = payment ?? {}
    const entries = await module.ledger.of([row.id])
    const proven = provenRefunds(entries, refunds)
    const unused = unusedProofs(entries, refunds)
    // Core asks our provider within seconds of writing a refund down; in the way of a proof, an older one is a dead process's.
    const aliveSince = module.clock.now().getTime() - DEAD_AFTER_MS
    const isEnded = (one: Refund) => !proven.includes(one) && one.since.getTime() < aliveSince
    const [ended] = unused.length ? refunds.filter(isEnded) : []
    if (ended) {
      await core.deleteRefund(ended.id)
      continue
    }
    if (order) {
      // A reversal takes money back for goods that the customer keeps.
      const reversed = provenRefunds(entries.filter(isReversal), proven)
      const isLowered = (one: Refund) => !order.isCanceled && !reversed.includes(one)
      await bookOnOrder(ports, order.id, row.currency, proven, isLowered)
    }
    const held = subtractAmounts(sumOf(captures), sumOf(refunds))
    // The proofs may exceed the money that Medusa holds, because a payout that a person took for lost was made after all.
    const next = unused.find(({ amount }) => compareSums(amount, held) <= 0)
    if (next) {
      await core.refundPayment(paymentId, smaller(next.amount, held), next)
      continue
    }
    // Core writes a refund down before our provider refuses it. Until then it takes up the money of a proof.
    const left = subtractAmounts(sumOf(captures), sumOf(proven))
    if (unused.some(({ amount }) => compareSums(amount, left) <= 0)) {
      throw refused("refund_being_asked")
    }
    if (order?.isCanceled) {
      // Core may have booked the same refund when it canceled the order; that booking names the payment.
      await deleteUnprovenBookings(ports, order.id, [{ id: paymentId, refunds: proven }])
    }
    await atLabelledPoint("refund:booked")
    return
  }
}

/** Books refunds that the order lacks. As core does, it lowers the order's worth by what was not paid too much: else that is owed again. */
async function bookOnOrder(
  ports: SettlePorts,
  orderId: string,
  currency: string,
  refunds: Refund[],
  isLowered: (refund: Refund) => boolean
): Promise<void> {
  const { medusa, core } = ports
  const booked = await bookingsOf(ports, orderId, refunds)
  for (const refund of refunds) {
    if (booked.some(({ referenceId }) => referenceId === refund.id)) continue
    const [before] = await medusa.listOrderMoney([orderId])
    const overpaid = remainder(0, before?.outstanding ?? 0)
    const credit = isLowered(refund) ? remainder(refund.amount, overpaid) : "0"
    await core.bookRefund(orderId, refund, { currency, credit })
  }
}

/** Deletes a canceled order's refund bookings without a proof: core books them at the cancellation, whether or not the money went back. */
export async function takeBackUnprovenRefunds(ports: SettlePorts, orderId: string): Promise<void> {
  const { module, medusa } = ports
  const [order] = await medusa.listOrderMoney([orderId])
  if (!order) return
  const rows = await module.transactions.inCollections(order.collectionIds)
  const ourProviders = rows.map(providerIdOf)
  const ourPayments = order.payments.filter((one) => ourProviders.includes(one.providerId))
  const entries = await module.ledger.of(rows.map(({ id }) => id))
  const proven = ourPayments.flatMap((payment) => {
    const row = rows.find((one) => namesTransaction(payment, one))
    // The proofs of its refunds were deleted with its row.
    if (!row) return []
    const ofRow = entries.filter(({ transaction_row_id }) => transaction_row_id === row.id)
    return { id: payment.id, refunds: provenRefunds(ofRow, payment.refunds) }
  })
  await deleteUnprovenBookings(ports, orderId, proven)
  await reportBalances(ports, [orderId])
}

/** Deletes an order's refund bookings that exceed those of its payments' refunds that proofs cover, and corrects its totals. */
async function deleteUnprovenBookings(
  ports: SettlePorts,
  orderId: string,
  payments: { id: string; refunds: Booking[] }[]
): Promise<void> {
  if (!payments.length) return
  const unproven: string[] = []
  for (const payment of payments) {
    let proven = sumOf(payment.refunds)
    for (const booking of await bookingsOf(ports, orderId, [payment, ...payment.refunds])) {
      const left = subtractAmounts(proven, absoluteAmount(booking.amount))
      if (compareAmounts(left, "0") < 0) unproven.push(booking.id)
      else proven = left
    }
  }
  if (unproven.length) await ports.core.deleteBookings(unproven)
  await ports.core.correctOrderTotals(orderId)
}

/** An order's bookings of these refunds. Core's own booking at a cancellation names the payment instead of the refund. */
async function bookingsOf({ medusa }: SettlePorts, orderId: string, of: { id: string }[]) {
  const reference_id = of.map(({ id }) => id)
  return await medusa.listBookings(orderId, { reference: "refund", reference_id })
}
