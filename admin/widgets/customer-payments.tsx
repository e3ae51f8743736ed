import { defineWidgetConfig } from "@medusajs/admin-sdk"
import type { AdminCustomer, DetailWidgetProps } from "@medusajs/framework/types"

import { PaymentsOf } from "../components/payments/payments-of"

const CustomerPayments = ({ data }: DetailWidgetProps<AdminCustomer>) => (
  <PaymentsOf of={{ customer_id: data.id }} />
)

export const config = defineWidgetConfig({
  zone: "customer.details.side",
  id: "payment-service-customer-payments",
})

export default CustomerPayments
