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
import { loadMedusaState, type SettlePorts } from "./core"
import { reportBalances } from "./follow-order"
import type { MedusaState } from "./rules/decide"
import { isReversal, proofsOf, provenRefunds, unusedProofs } from "./rules/ledger"
import { providerIdOf } from "./rules/transaction"

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
 * @throws MedusaError `NOT_ALLOWED` while core asks for another refund, or is at a credit of its own
 */
export async function bookWaiting(
  ports: SettlePorts,
  row: TransactionRow
): Promise<LedgerEntryRow[] | null> {
  const { order, payment } = await loadMedusaState(ports, row)
  if (order) await endCredits(ports, order.id)
  if (order && !order.canceled && (await ports.medusa.isBeingChanged(order.id))) return null
  const waiting = (await ports.module.ledger.of([row.id])).filter(({ to_book_at: at }) => at)
  if (payment?.captured) await bookProofs(ports, row, payment.id, order)
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
    const proofs = proofsOf(row, entries)
    const proven = provenRefunds(proofs, refunds)
    const unused = unusedProofs(proofs, refunds)
    const ended = unused.length ? findEnded(ports, refunds, proven, entries) : []
    if (ended.length) {
      if (order) await deleteBookingsOf(ports, order.id, ended)
      for (const { id } of ended) await core.deleteRefund(id)
      continue
    }
    if (order) {
      // A reversal takes money back for goods that the customer keeps.
      const reversed = provenRefunds(proofs.filter(isReversal), proven)
      const isLowered = (one: Refund) => !order.canceled && !reversed.includes(one)
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
    if (order?.canceled) {
      // Core may have booked the same refund when it canceled the order; that booking names the payment.
      await deleteUnprovenBookings(ports, order.id, [{ id: paymentId, refunds: proven }])
    }
    await atLabelledPoint("refund:booked")
    return
  }
}

/** Core is at a refund or a credit for seconds: a refund without a proof, or an open credit, that stays longer is a dead process's. */
const DEAD_AFTER_MS = 2 * 60_000

/** Refunds in the way of a proof: of a dead process (our provider refuses them, should it live), or of a reversal that was withdrawn. */
function findEnded(
  { module }: SettlePorts,
  refunds: Refund[],
  proven: Refund[],
  entries: LedgerEntryRow[]
): Refund[] {
  const withdrawn = provenRefunds(entries, refunds)
  const aliveSince = module.clock.now().getTime() - DEAD_AFTER_MS
  return refunds.filter(
    (one) => !proven.includes(one) && (withdrawn.includes(one) || one.since.getTime() < aliveSince)
  )
}

async function deleteBookingsOf(ports: SettlePorts, orderId: string, refunds: Refund[]) {
  const booked = await bookingsOf(ports, orderId, refunds)
  if (booked.length) await ports.core.deleteBookings(booked.map(({ id }) => id))
  // Also if a process died between the two.
  await ports.core.correctOrderTotals(orderId)
}

/**
 * Books refunds that the order lacks. As core does, it lowers the order's worth by what was not paid too much: else that money would be
 * owed again. That credit is opened first, because its amount cannot be found out any more once the refund is booked.
 */
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
    const amount = isLowered(refund) ? remainder(refund.amount, overpaid) : "0"
    const isCredited = compareAmounts(amount, 0) > 0
    const credit = isCredited && (await core.openCredit(orderId, { refundId: refund.id, amount }))
    await core.bookRefund(orderId, refund, currency)
    if (credit) await core.confirmCredit(credit)
  }
}

/** Deletes a canceled order's refund bookings without a proof: core books them at the cancellation, whether or not the money went back. */
export async function takeBackUnprovenRefunds(ports: SettlePorts, orderId: string): Promise<void> {
  const { module, medusa } = ports
  const links = await medusa.listOrderCollections({ order_id: orderId })
  const collections = links.map(({ payment_collection_id }) => payment_collection_id)
  const rows = await module.transactions.inCollections(collections)
  const ourProviders = rows.map(providerIdOf)
  const payments = await medusa.listPayments({ payment_collection_id: collections })
  const ourPayments = payments.filter(({ providerId }) => ourProviders.includes(providerId))
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

/**
 * Ends the credits of a held order that a killed process left open: core makes no other change of the order until then. A credit is
 * confirmed if its refund is booked, and else canceled, because the booking opens another one.
 *
 * @throws MedusaError `NOT_ALLOWED` while core itself may still be at one
 */
async function endCredits(ports: SettlePorts, orderId: string): Promise<void> {
  const { medusa, core, module } = ports
  for (const credit of await medusa.listOpenCredits(orderId)) {
    const ageMs = module.clock.now().getTime() - credit.since.getTime()
    if (credit.refundId === null && ageMs < DEAD_AFTER_MS) throw refused("order_being_changed")
    // Core opens its own credits after the booking, and writes their amount after that.
    const isBooked =
      credit.refundId === null
        ? credit.hasAmount
        : (await bookingsOf(ports, orderId, [{ id: credit.refundId }])).length > 0
    await (isBooked ? core.confirmCredit(credit.id) : core.cancelCredit(credit.id))
  }
}

/** An order's bookings of these refunds. Core's own booking at a cancellation names the payment instead of the refund. */
async function bookingsOf({ medusa }: SettlePorts, orderId: string, of: { id: string }[]) {
  const reference_id = of.map(({ id }) => id)
  return await medusa.listBookings(orderId, { reference: "refund", reference_id })
}
