import type { MedusaContainer } from "@medusajs/framework/types"

import { listOrderMoney } from "../../../../medusa/order-money"
import { paymentServiceModule } from "../../../../modules/payment-service"
import { paymentToOffer, withMoneyFirst } from "../../../../settlement/order-payments"

/**
 * The payments of an order for admins, first the one that tells what became of it. Only the one that the customer may be asked to
 * pay has its address and QR. Paid ones are among them, however many attempts came later.
 */
export async function paymentsOfOrder(scope: MedusaContainer, orderId: string, limit: number) {
  const module = paymentServiceModule(scope)
  const latest = { by: "paid_at", descending: true, limit, offset: 0 } as const
  const [rows, [order]] = await Promise.all([
    module.transactionList.page({ order_id: orderId }, latest),
    listOrderMoney(scope, [orderId]),
  ])
  const owed = order && !order.isCanceled ? order.owed : null
  const offered = paymentToOffer(rows, owed, module.clock.now())
  return withMoneyFirst(rows).map((row) =>
    row.id === offered?.id ? row : { ...row, redirect: null, qr: null }
  )
}
