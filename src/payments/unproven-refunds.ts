import { type Booking, namesTransaction, type Refund } from "../medusa/payments"
import type { TransactionRow } from "../modules/payment-service"
import { refused } from "../refusals/refused"
import { absoluteAmount, compareAmounts, subtractAmounts, sumOf } from "../values/amount"
import type { SettlePorts } from "./core"
import { followOrders } from "./follow-order"
import { proofsOf, provenRefunds, unusedProofs } from "./rules/ledger"
import { providerIdOf } from "./rules/transaction"

/**
 * Deletes bookings of refunds without a proof on a canceled order. Core books a refund at the cancellation whether or not the
 * money went back, but the service cannot refund. The order then shows the money as held, and the due refund becomes a problem.
 */
export async function takeBackUnprovenRefunds(ports: SettlePorts, orderId: string): Promise<void> {
  const { module, medusa } = ports
  const links = await medusa.listOrderCollections({ order_id: orderId })
  const ofOrder = {
    payment_collection_id: links.map(({ payment_collection_id }) => payment_collection_id),
  }
  const rows = await module.listTransactions(ofOrder)
  const ourProviders = rows.map(providerIdOf)
  const ourPayments = (await medusa.listPayments(ofOrder)).filter(({ providerId }) =>
    ourProviders.includes(providerId)
  )
  const entries = await module.ledger.of(rows.map(({ id }) => id))
  const proven = ourPayments.flatMap((payment) => {
    const row = rows.find((one) => namesTransaction(payment, one))
    // The proofs of its refunds were deleted with its row.
    if (!row) return []
    const ofRow = entries.filter(({ transaction_row_id }) => transaction_row_id === row.id)
    return { id: payment.id, refunds: provenRefunds(ofRow, payment.refunds) }
  })
  await deleteUnprovenBookings(ports, orderId, proven)
  await followOrders(ports, [orderId])
}

/** Deletes an order's refund bookings that exceed the proven refunds of its payments, and corrects its totals. */
export async function deleteUnprovenBookings(
  ports: SettlePorts,
  orderId: string,
  payments: ProvenRefunds[]
): Promise<void> {
  if (!payments.length) return
  const unproven: string[] = []
  for (const { id: paymentId, refunds } of payments) {
    const refundIds = refunds.map(({ id }) => id)
    let proven = sumOf(refunds)
    for (const booking of await bookingsOf(ports, orderId, [paymentId, ...refundIds])) {
      const left = subtractAmounts(proven, absoluteAmount(booking.amount))
      if (compareAmounts(left, "0") < 0) unproven.push(booking.id)
      else proven = left
    }
  }
  if (unproven.length) await ports.core.deleteBookings(unproven)
  await ports.core.correctOrderTotals(orderId)
}

/** A payment and those of its refunds that proofs cover. */
interface ProvenRefunds {
  id: string
  refunds: Booking[]
}

/**
 * Core is at a refund, and at a credit that it opened, for seconds: a refund without a proof, or an open credit, that stays for
 * longer is a dead process's.
 */
const DEAD_AFTER_MS = 2 * 60_000

/**
 * Makes room for a proof that is to be booked: deletes the refunds of a payment that a killed process left, and those of a reversal
 * that the service has withdrawn. Core writes a refund down before it asks our provider, deletes it when that refuses it, and gives
 * its money to no other refund meanwhile. The provider refuses a deleted one, should its process live after all.
 */
export async function endRefunds(
  ports: SettlePorts,
  row: TransactionRow,
  { paymentId, orderId }: { paymentId: string; orderId: string | null }
): Promise<void> {
  const { module, medusa, core } = ports
  const [{ refunds } = { refunds: [] }] = await medusa.listPayments({ id: paymentId })
  const entries = await module.ledger.of([row.id])
  const proofs = proofsOf(row, entries)
  if (!unusedProofs(proofs, refunds).length) return
  const proven = provenRefunds(proofs, refunds)
  const withdrawn = provenRefunds(entries, refunds).filter((one) => !proven.includes(one))
  const aliveSince = module.clock.now().getTime() - DEAD_AFTER_MS
  const isDead = (one: Refund) => !proven.includes(one) && one.since.getTime() < aliveSince
  if (orderId && withdrawn.length) {
    const withdrawnIds = withdrawn.map(({ id }) => id)
    const booked = await bookingsOf(ports, orderId, withdrawnIds)
    if (booked.length) await core.deleteBookings(booked.map(({ id }) => id))
    await core.correctOrderTotals(orderId)
  }
  for (const refund of refunds) {
    if (withdrawn.includes(refund) || isDead(refund)) await core.deleteRefund(refund.id)
  }
}

/**
 * Ends the credits of an order that a killed process left open: core makes no other change of the order until then. A credit is
 * confirmed if its refund is booked, and else canceled, because the booking opens another one. The caller must hold the order, so
 * nobody else is at a credit of ours.
 *
 * @throws MedusaError `NOT_ALLOWED` while core itself may still be at one
 */
export async function endCredits(ports: SettlePorts, orderId: string): Promise<void> {
  const { medusa, core, module } = ports
  for (const credit of await medusa.listOpenCredits(orderId)) {
    const ageMs = module.clock.now().getTime() - credit.since.getTime()
    if (credit.refundId === null && ageMs < DEAD_AFTER_MS) throw refused("order_being_changed")
    // Core opens its own credits after the booking, and writes their amount after that.
    const isBooked =
      credit.refundId === null
        ? credit.hasAmount
        : (await bookingsOf(ports, orderId, [credit.refundId])).length > 0
    await (isBooked ? core.confirmCredit(credit.id) : core.cancelCredit(credit.id))
  }
}

/** An order's bookings of these refunds. Core's own booking at a cancellation names the payment instead of the refund. */
export async function bookingsOf({ medusa }: SettlePorts, orderId: string, refundIds: string[]) {
  return await medusa.listBookings(orderId, { reference: "refund", reference_id: refundIds })
}
