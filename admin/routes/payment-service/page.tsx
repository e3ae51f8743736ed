import { defineRouteConfig } from "@medusajs/admin-sdk"
import { CreditCard } from "@medusajs/icons"
import { Navigate } from "react-router-dom"

import { useFormat } from "../../lib/format"

const PaymentServicePage = () => <Navigate to="/payment-service/transactions" replace />

export const config = defineRouteConfig({
  label: "menu.section",
  translationNs: "paymentService",
  icon: CreditCard,
})

export const handle = {
  breadcrumb: () => <SectionBreadcrumb />,
}

const SectionBreadcrumb = () => <>{useFormat().t("menu.section")}</>

export default PaymentServicePage
