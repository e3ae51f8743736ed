import { type Payment, type PaymentParts, sumOf } from "../../medusa/payments"
import { absoluteAmount, compareAmounts, subtractAmounts } from "../../settlement/amount"
import { followRefundDue } from "../../transactions/follow-refund-due"
import type { SettlePorts } from "../settle/ports"

/**
 * When an order is canceled, core books a refund on it whether or not the money went back. The service cannot
 * refund, so for a payment of ours the booking is deleted unless a refund proves it: the order goes on
 * showing the money as held, and a refund that is due is reported as a problem.
 */
export async function takeBackUnprovenRefunds(ports: SettlePorts, orderId: string): Promise<void> {
  const { module, medusa, core } = ports
  const links = await medusa.listOrderCollections({ order_id: orderId })
  const ofOrder = {
    payment_collection_id: links.map(({ payment_collection_id }) => payment_collection_id),
  }
  const rows = await module.listTransactions(ofOrder)
  const ourProviders = rows.map(({ provider_id }) => provider_id)
  const ourPayments = (await medusa.listPayments(ofOrder, ["refunds"])).filter(({ providerId }) =>
    ourProviders.includes(providerId)
  )

  const takenBack: string[] = []
  for (const payment of ourPayments) {
    takenBack.push(...(await unprovenBookings(ports, orderId, payment)))
  }
  if (takenBack.length) {
    await core.deleteBookings(takenBack)
  }
  if (ourPayments.length) {
    await core.correctOrderTotals(orderId)
  }
  for (const row of rows.filter(({ paid_at }) => paid_at)) {
    await followRefundDue(ports, row.id)
  }
}

/** Ids of a payment's refund bookings on the order that exceed its real refunds. */
async function unprovenBookings(
  { medusa }: SettlePorts,
  orderId: string,
  { id: paymentId, refunds }: Payment & Pick<PaymentParts, "refunds">
): Promise<string[]> {
  const bookings = await medusa.listBookings(orderId, {
    reference: "refund",
    reference_id: [paymentId, ...refunds.map(({ id }) => id)],
  })
  let proven = sumOf(refunds)
  return bookings.flatMap(({ id, amount }) => {
    const left = subtractAmounts(proven, absoluteAmount(amount))
    if (compareAmounts(left, "0") < 0) {
      return [id]
    }
    proven = left
    return []
  })
}
