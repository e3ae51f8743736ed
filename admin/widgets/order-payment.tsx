import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminOrder, DetailWidgetProps } from "@medusajs/framework/types"

import { PaymentsOf } from "../components/payments/payments-of"

const OrderPayment = ({ data }: DetailWidgetProps<AdminOrder>) => (
  <PaymentsOf of={{ order_id: data.id }} />
)

export const config = defineWidgetConfig({
  zone: "order.details.side",
  id: "payment-service-order-payment",
})

export default OrderPayment
