import { LayoutComposer } from "@medusajs/dashboard/components"
import { Container } from "@medusajs/ui"
import type { UIMatch } from "react-router-dom"
import { useParams } from "react-router-dom"

import { Failed } from "../../../../components/failed"
import { PageSkeleton } from "../../../../components/page-skeleton"
import {
  SubscriptionCharges,
  SubscriptionPayer,
  SubscriptionSummary,
} from "../../../../components/subscription-details"
import { formatForTitle } from "../../../../lib/format"
import { useSubscription } from "../../../../lib/subscriptions"

/** One recurring payment with its charges. It has no `loader`, because the service's failure would replace the page. */
const SubscriptionPage = () => {
  const { id = "" } = useParams()
  const { data, isError, error, refetch } = useSubscription(id)
  // An earlier answer stays visible when a later read fails.
  if (isError && !data) {
    return (
      <Container>
        <Failed error={error} retry={refetch} />
      </Container>
    )
  }
  if (!data) return <PageSkeleton />
  const { subscription } = data
  return (
    <LayoutComposer
      widgetsZonePrefix="payment_service_subscription.details"
      preferredLayoutId="core:two-column"
      data={subscription}
      sections={{
        main: (
          <>
            <LayoutComposer.Entry id="SubscriptionSummary">
              <SubscriptionSummary subscription={subscription} />
            </LayoutComposer.Entry>
            <LayoutComposer.Entry id="SubscriptionCharges">
              <SubscriptionCharges subscription={subscription} />
            </LayoutComposer.Entry>
          </>
        ),
        side: (
          <LayoutComposer.Entry id="SubscriptionPayer">
            <SubscriptionPayer subscription={subscription} />
          </LayoutComposer.Entry>
        ),
      }}
    />
  )
}

export const handle = {
  breadcrumb: ({ params }: UIMatch) => <SubscriptionBreadcrumb id={params.id ?? ""} />,
  seo: ({ params }: UIMatch) => ({
    title: `${formatForTitle().t("subscriptions.one")} · ${params.id ?? ""}`,
  }),
}

const SubscriptionBreadcrumb = ({ id }: { id: string }) => (
  <>{useSubscription(id).data?.subscription.customer_email ?? id}</>
)

export default SubscriptionPage
