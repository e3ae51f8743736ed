import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container } from "@medusajs/ui"

import { CardsPage } from "../../../components/cards"
import { SubscriptionList } from "../../../components/subscription-list"
import { useFormat } from "../../../lib/format"

/** The service's recurring payments. */
const SubscriptionsPage = () => (
  <CardsPage
    zone="payment_service_subscription.list"
    main={{
      PaymentServiceSubscriptions: (
        <Container className="divide-y p-0">
          <SubscriptionList />
        </Container>
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
