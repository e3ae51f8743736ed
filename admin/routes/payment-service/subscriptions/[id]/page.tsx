import type { UIMatch } from "react-router-dom"
import { useParams } from "react-router-dom"

import { CardsPage } from "../../../../components/cards"
import { NotRead } from "../../../../components/not-read"
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
  const answer = useSubscription(id)
  const { data } = answer
  // An earlier answer stays visible when a later read fails.
  if (!data) return <NotRead answer={answer} />
  const { subscription } = data
  return (
    <CardsPage
      zone="payment_service_subscription.details"
      data={subscription}
      main={{
        SubscriptionSummary: <SubscriptionSummary subscription={subscription} />,
        SubscriptionCharges: <SubscriptionCharges subscription={subscription} />,
      }}
      side={{
        SubscriptionPayer: <SubscriptionPayer subscription={subscription} />,
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
