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
import { loadMedusaState, requireLock, type SettlePorts, withTargetLock } from "./core"
import { followOrderOf, reportBalances } from "./follow-order"
import type { MedusaState } from "./rules/evidence"
import { isReversal, proofsOf, provenRefunds, unusedProofs } from "./rules/ledger"
import { paidSum, providerIdOf } from "./rules/transaction"

interface ProvenRefund {
  /** A transaction whose payment Medusa has captured. */
  row: TransactionRow
  /** The sum that went back without a payout, as decimal text in the payment's currency; null when only payouts paid it back. */
  proof: Pick<LedgerEntryRow, "kind" | "amount" | "problem_id" | "note" | "by"> | null
}

/**
 * Records that money of a payment went back, and makes Medusa book that and proven payouts. Bookings follow the proofs, so this may
 * run again after it was killed. While the order is being changed, Medusa can book nothing: it returns false then, and `bookLate`
 * books it when the change has ended. The caller must hold the target, as `actOnProblem` does.
 *
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
export async function reportAndBookAfterChange(ports: SettlePorts, orderId: string): Promise<void> {
  if (!(await ports.module.ledger.isConcerned(orderId))) return
  const followed = await reportBalances(ports, [orderId], { opens: false })
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

/**
 * Deletes bookings of refunds without a proof on a canceled order. Core books a refund at the cancellation whether or not the
 * money went back, but the service cannot refund. The order then shows the money as held, and the due refund becomes a problem.
 */
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
