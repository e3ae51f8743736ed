import { LayoutComposer } from "@medusajs/dashboard/components"
import type { LoaderFunctionArgs, UIMatch } from "react-router-dom"
import { useLoaderData, useParams } from "react-router-dom"

import {
  SubscriptionCharges,
  SubscriptionPayer,
  SubscriptionSummary,
} from "../../../../components/subscription-details"
import {
  readSubscription,
  type SubscriptionAnswer,
  useSubscription,
} from "../../../../lib/subscriptions"

/** One recurring payment with its charges. */
const SubscriptionPage = () => {
  const { id = "" } = useParams()
  const initialData = useLoaderData<SubscriptionAnswer | undefined>()
  const { data, error } = useSubscription(id, initialData)
  // An earlier answer stays visible when a later read fails.
  if (!data) {
    if (error) throw error
    return null
  }
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

export async function loader({ params }: LoaderFunctionArgs): Promise<SubscriptionAnswer> {
  return await readSubscription(params.id ?? "")
}

const nameOf = (answer: SubscriptionAnswer | undefined) =>
  answer?.subscription.customer_email ?? answer?.subscription.id

export const handle = {
  breadcrumb: ({ loaderData }: UIMatch<SubscriptionAnswer | undefined>) => (
    <>{nameOf(loaderData) ?? ""}</>
  ),
  seo: ({ loaderData }: UIMatch<SubscriptionAnswer | undefined>) => ({ title: nameOf(loaderData) }),
}

export default SubscriptionPage
