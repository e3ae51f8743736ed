import { type Booking, namesTransaction } from "../../medusa/payments"
import { absoluteAmount, compareAmounts, subtractAmounts, sumOf } from "../../settlement/amount"
import { followOrders } from "../../transactions/follow-order"
import { provenRefunds } from "../../transactions/proofs-of-refunds"
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
  ports: SettlePorts,
  orderId: string,
  payments: ProvenRefunds[]
): Promise<void> {
  const unproven: string[] = []
  for (const payment of payments) {
    unproven.push(...(await unprovenBookings(ports, orderId, payment)))
  }
  if (unproven.length) {
    await ports.core.deleteBookings(unproven)
  }
  if (payments.length) {
    await ports.core.correctOrderTotals(orderId)
  }
}

/** A payment and those of its refunds that proofs cover. */
interface ProvenRefunds {
  id: string
  refunds: Booking[]
}

/** Ids of a payment's refund bookings on the order that exceed its proven refunds. */
async function unprovenBookings(
  { medusa }: SettlePorts,
  orderId: string,
  { id: paymentId, refunds }: ProvenRefunds
): Promise<string[]> {
  const bookings = await medusa.listBookings(orderId, {
    reference: "refund",
    reference_id: [paymentId, ...refunds.map(({ id }) => id)],
  })
  let proven = sumOf(refunds)
  return bookings.flatMap(({ id, amount }) => {
    const left = subtractAmounts(proven, absoluteAmount(amount))
    if (compareAmounts(left, "0") < 0) return [id]
    proven = left
    return []
  })
}
