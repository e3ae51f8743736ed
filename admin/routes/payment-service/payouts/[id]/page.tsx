import { useLoaderData, useParams } from "react-router-dom"

import { CardsPage, named, NotRead } from "../../../../components/cards"
import {
  PayoutDetails,
  PayoutHistory,
  PayoutLinks,
  PayoutVerdict,
  usePayout,
} from "../../../../components/payouts/payout"
import type { PayoutWithJournal } from "../../../../lib/answers"
import { formatForTitle } from "../../../../lib/format"
import { loading } from "../../../../lib/sdk"

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

export const handle = named<PayoutWithJournal>(({ payout }) => {
  const { rubles, card } = formatForTitle()
  return `${rubles(payout.amount)} → ${card(payout)}`
})

export default PayoutPage
