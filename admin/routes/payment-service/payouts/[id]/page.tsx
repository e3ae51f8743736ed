import { LayoutComposer } from "@medusajs/dashboard/components"
import type { LoaderFunctionArgs, UIMatch } from "react-router-dom"
import { useLoaderData, useParams } from "react-router-dom"

import { PayoutDetails, PayoutLinks } from "../../../../components/payouts/payout-details"
import { PayoutHistory } from "../../../../components/payouts/payout-history"
import { PayoutVerdict } from "../../../../components/payouts/payout-verdict"
import { usePayout } from "../../../../lib/payout-queries"
import { payoutTitle, usePayoutWords } from "../../../../lib/payout-words"
import type { PayoutWithJournal } from "../../../../lib/api"
import { ask } from "../../../../lib/sdk"

/** Everything about one payout, with its possible deeds. */
const PayoutPage = () => {
  const { id = "" } = useParams()
  const initialData = useLoaderData<PayoutWithJournal | undefined>()
  const { data, error } = usePayout(id, initialData)
  if (!data) {
    if (error) throw error
    return null
  }
  return (
    <LayoutComposer
      widgetsZonePrefix="payment_service_payout.details"
      preferredLayoutId="core:two-column"
      data={data.payout}
      sections={{
        main: (
          <>
            <LayoutComposer.Entry id="PayoutVerdict">
              <PayoutVerdict {...data} isOld={error !== null} />
            </LayoutComposer.Entry>
            <LayoutComposer.Entry id="PayoutDetails">
              <PayoutDetails payout={data.payout} />
            </LayoutComposer.Entry>
          </>
        ),
        side: (
          <>
            <LayoutComposer.Entry id="PayoutLinks">
              <PayoutLinks payout={data.payout} />
            </LayoutComposer.Entry>
            <LayoutComposer.Entry id="PayoutHistory">
              <PayoutHistory journal={data.journal} />
            </LayoutComposer.Entry>
          </>
        ),
      }}
    />
  )
}

export async function loader({ params }: LoaderFunctionArgs): Promise<PayoutWithJournal> {
  return await ask<PayoutWithJournal>(`payouts/${encodeURIComponent(params.id ?? "")}`)
}

export const handle = {
  breadcrumb: ({ loaderData }: UIMatch<PayoutWithJournal | undefined>) =>
    loaderData ? <PayoutBreadcrumb {...loaderData} /> : null,
  seo: ({ loaderData }: UIMatch<PayoutWithJournal | undefined>) => ({
    title: loaderData && payoutTitle(loaderData.payout),
  }),
}

const PayoutBreadcrumb = ({ payout }: PayoutWithJournal) => {
  const { rubles, card } = usePayoutWords()
  return (
    <>
      {rubles(payout.amount)} → {card(payout)}
    </>
  )
}

export default PayoutPage
