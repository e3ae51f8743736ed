import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"

import { SubscriptionList } from "../../../components/subscription-list"
import { useFormat } from "../../../lib/format"

/** The service's recurring payments. */
const SubscriptionsPage = () => (
  <LayoutComposer
    widgetsZonePrefix="payment_service_subscription.list"
    preferredLayoutId="core:single-column"
    sections={{
      main: (
        <LayoutComposer.Entry id="PaymentServiceSubscriptions">
          <Container className="divide-y p-0">
            <SubscriptionList />
          </Container>
        </LayoutComposer.Entry>
      ),
    }}
  />
)

export const config = defineRouteConfig({
  label: "menu.subscriptions",
  translationNs: "paymentService",
  rank: 4,
})

export const handle = {
  breadcrumb: () => <SubscriptionsBreadcrumb />,
}

const SubscriptionsBreadcrumb = () => <>{useFormat().t("subscriptions.title")}</>

export default SubscriptionsPage
