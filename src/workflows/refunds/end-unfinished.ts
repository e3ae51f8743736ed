import type { OpenCredit } from "../../medusa/order"
import type { Refund } from "../../medusa/payments"
import type { TransactionRow } from "../../modules/payment-service"
import { refused } from "../../modules/payment-service/refused-deed"
import { proofsOf, provenRefunds, unusedProofs } from "../../transactions/proofs-of-refunds"
import type { SettlePorts } from "../ports"

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
  const [{ refunds } = { refunds: [] }] = await medusa.listPayments({ id: paymentId }, ["refunds"])
  const entries = await module.ledger.of([row.id])
  const proofs = proofsOf(row, entries)
  if (!unusedProofs(proofs, refunds).length) return
  const proven = provenRefunds(proofs, refunds)
  const withdrawn = provenRefunds(entries, refunds).filter((one) => !proven.includes(one))
  const aliveSince = module.clock.now().getTime() - DEAD_AFTER_MS
  const isDead = (one: Refund) => !proven.includes(one) && one.since.getTime() < aliveSince
  if (orderId && withdrawn.length) {
    const reference_id = withdrawn.map(({ id }) => id)
    const booked = await medusa.listBookings(orderId, { reference: "refund", reference_id })
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
    if (await isBooked(ports, orderId, credit)) {
      await core.confirmCredit(credit.id)
    } else {
      await core.cancelCredit(credit.id)
    }
  }
}

/** Whether a credit's refund is booked. Core opens its own credits after the booking, and writes their amount after that. */
async function isBooked(
  { medusa }: SettlePorts,
  orderId: string,
  { refundId, hasAmount }: OpenCredit
): Promise<boolean> {
  if (refundId === null) return hasAmount
  const bookings = await medusa.listBookings(orderId, {
    reference: "refund",
    reference_id: [refundId],
  })
  return bookings.length > 0
}
