import type { UIMatch } from "react-router-dom"
import { useLoaderData, useParams } from "react-router-dom"

import { CardsPage, NotRead } from "../../../../components/cards"
import {
  PayoutDetails,
  PayoutHistory,
  PayoutLinks,
  PayoutVerdict,
  usePayout,
} from "../../../../components/payouts/payout"
import type { PayoutWithJournal } from "../../../../lib/answers"
import { payoutTitle, usePayoutWords } from "../../../../lib/payouts/words"
import { loading } from "../../../../lib/sdk"

/** Everything about one payout, with its possible actions. */
const PayoutPage = () => {
  const { id = "" } = useParams()
  const answer = usePayout(id, useLoaderData<PayoutWithJournal | undefined>())
  const { data, error } = answer
  if (!data) return <NotRead answer={answer} />
  return (
    <CardsPage
      zone="payment_service_payout.details"
      list="payouts"
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

export const loader = loading<PayoutWithJournal>("payouts")

type Match = UIMatch<PayoutWithJournal | undefined>

export const handle = {
  breadcrumb: ({ loaderData }: Match) => loaderData && <PayoutBreadcrumb {...loaderData} />,
  seo: ({ loaderData }: Match) => ({ title: loaderData && payoutTitle(loaderData.payout) }),
}

const PayoutBreadcrumb = ({ payout }: PayoutWithJournal) => {
  const { rubles, card } = usePayoutWords()
  return <>{`${rubles(payout.amount)} → ${card(payout)}`}</>
}

export default PayoutPage
