import { defineRouteConfig } from "@medusajs/admin-sdk"
import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"

import { Comparisons } from "../../../components/comparison/comparisons"
import { useFormat } from "../../../lib/format"

/** The daily comparisons with the service's own records. */
const ComparisonPage = () => (
  <LayoutComposer
    widgetsZonePrefix="payment_service_comparison.list"
    preferredLayoutId="core:single-column"
    sections={{
      main: (
        <LayoutComposer.Entry id="PaymentServiceComparisons">
          <Container className="divide-y p-0">
            <Comparisons />
          </Container>
        </LayoutComposer.Entry>
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
