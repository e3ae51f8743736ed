import { type Booking, namesTransaction } from "../../medusa/payments"
import { absoluteAmount, compareAmounts, subtractAmounts, sumOf } from "../../settlement/amount"
import { followOrders } from "../../transactions/follow-order"
import { provenRefunds } from "../../transactions/refund-requests"
import type { SettlePorts } from "../ports"

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
  const ourProviders = rows.map(({ provider_id }) => provider_id)
  const ourPayments = (await medusa.listPayments(ofOrder, ["refunds"])).filter(({ providerId }) =>
    ourProviders.includes(providerId)
  )
  const entries = await module.ledger.of(rows.map(({ id }) => id))
  const proven = ourPayments.map((payment) => {
    const row = rows.find((one) => namesTransaction(payment, one))
    const ofRow = entries.filter(({ transaction_row_id }) => transaction_row_id === row?.id)
    return { id: payment.id, refunds: row ? provenRefunds(ofRow, payment.refunds) : [] }
  })
  await deleteUnprovenBookings(ports, orderId, proven)
  await followOrders(ports, [orderId])
}

/** Deletes an order's refund bookings that exceed the proven refunds of its payments, and corrects its totals. */
export async function deleteUnprovenBookings(
  { medusa, core }: SettlePorts,
  orderId: string,
  payments: ProvenRefunds[]
): Promise<void> {
  if (!payments.length) return
  const unproven: string[] = []
  for (const { id: paymentId, refunds } of payments) {
    const reference_id = [paymentId, ...refunds.map(({ id }) => id)]
    let proven = sumOf(refunds)
    for (const booking of await medusa.listBookings(orderId, {
      reference: "refund",
      reference_id,
    })) {
      const left = subtractAmounts(proven, absoluteAmount(booking.amount))
      if (compareAmounts(left, "0") < 0) unproven.push(booking.id)
      else proven = left
    }
  }
  if (unproven.length) await core.deleteBookings(unproven)
  await core.correctOrderTotals(orderId)
}

/** A payment and those of its refunds that proofs cover. */
interface ProvenRefunds {
  id: string
  refunds: Booking[]
}
