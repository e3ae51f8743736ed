import type { LoaderFunctionArgs, UIMatch } from "react-router-dom"
import { useLoaderData, useParams } from "react-router-dom"

import { CardsPage } from "../../../../components/cards"
import { PayoutDetails, PayoutLinks } from "../../../../components/payouts/payout-details"
import { PayoutHistory } from "../../../../components/payouts/payout-history"
import { PayoutVerdict } from "../../../../components/payouts/payout-verdict"
import { usePayout } from "../../../../lib/payout-queries"
import { payoutTitle, usePayoutWords } from "../../../../lib/payout-words"
import type { PayoutWithJournal } from "../../../../lib/api"
import { ask } from "../../../../lib/sdk"

/** Everything about one payout, with its possible actions. */
const PayoutPage = () => {
  const { id = "" } = useParams()
  const initialData = useLoaderData<PayoutWithJournal | undefined>()
  const { data, error } = usePayout(id, initialData)
  if (!data) {
    if (error) throw error
    return null
  }
  return (
    <CardsPage
      zone="payment_service_payout.details"
      data={data.payout}
      main={{
        PayoutVerdict: <PayoutVerdict {...data} isOld={error !== null} />,
        PayoutDetails: <PayoutDetails payout={data.payout} />,
      }}
      side={{
        PayoutLinks: <PayoutLinks payout={data.payout} />,
        PayoutHistory: <PayoutHistory journal={data.journal} />,
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
