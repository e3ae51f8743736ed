import type { IOrderModuleService, MedusaContainer } from "@medusajs/framework/types"
import { Modules } from "@medusajs/framework/utils"

import { listOrderCollections } from "../../medusa/links"
import {
  listBookings,
  listPayments,
  type Payment,
  type PaymentParts,
  sumOf,
} from "../../medusa/payments"
import { paymentServiceModule } from "../../modules/payment-service"
import { absoluteAmount, compareAmounts, subtractAmounts } from "../../settlement/amount"
import { followRefundDue } from "../../transactions/follow-refund-due"
import { portsOf } from "../../transactions/ports"
import { followOrderBalances } from "../settle/order-balance"
import { correctOrderTotals } from "./correct-order-totals"

/**
 * When an order is canceled, core books a refund on it whether or not the money went back. The service cannot
 * refund, so for a payment of ours the booking is deleted unless a refund proves it: the order goes on
 * showing the money as held, and a refund that is due is reported as a problem.
 */
export async function takeBackUnprovenRefunds(
  container: MedusaContainer,
  orderId: string
): Promise<void> {
  const module = paymentServiceModule(container)
  const links = await listOrderCollections(container, { order_id: orderId })
  const ofOrder = {
    payment_collection_id: links.map(({ payment_collection_id }) => payment_collection_id),
  }
  const rows = await module.listTransactions(ofOrder)
  const ourProviders = rows.map(({ provider_id }) => provider_id)
  const ourPayments = (await listPayments(container, ofOrder, ["refunds"])).filter(
    ({ providerId }) => ourProviders.includes(providerId)
  )

  const takenBack: string[] = []
  for (const payment of ourPayments) {
    takenBack.push(...(await unprovenBookings(container, orderId, payment)))
  }
  if (takenBack.length) {
    await container.resolve<IOrderModuleService>(Modules.ORDER).deleteOrderTransactions(takenBack)
  }
  if (ourPayments.length) {
    await correctOrderTotals(container, orderId)
  }
  const ports = portsOf(container)
  for (const row of rows.filter(({ paid_at }) => paid_at)) {
    await followRefundDue(ports, row.id)
  }
  // All that a canceled order holds is due: what was paid too much is a part of it.
  await followOrderBalances(ports, [orderId])
}

/** Ids of a payment's refund bookings on the order that exceed its real refunds. */
async function unprovenBookings(
  container: MedusaContainer,
  orderId: string,
  { id: paymentId, refunds }: Payment & Pick<PaymentParts, "refunds">
): Promise<string[]> {
  const bookings = await listBookings(container, orderId, {
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
