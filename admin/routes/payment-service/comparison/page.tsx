import { defineRouteConfig } from "@medusajs/admin-sdk"
import { Container } from "@medusajs/ui"

import { CardsPage } from "../../../components/cards"
import { Comparisons } from "../../../components/comparison/comparisons"
import { useFormat } from "../../../lib/format"

/** The daily comparisons with the service's own records. */
const ComparisonPage = () => (
  <CardsPage
    zone="payment_service_comparison.list"
    main={{
      PaymentServiceComparisons: (
        <Container className="divide-y p-0">
          <Comparisons />
        </Container>
      ),
    }}
  />
)

export const config = defineRouteConfig({
  label: "comparison.title",
  translationNs: "paymentService",
  rank: 3,
})

export const handle = {
  breadcrumb: () => <ComparisonBreadcrumb />,
}

const ComparisonBreadcrumb = () => <>{useFormat().t("comparison.title")}</>

export default ComparisonPage
