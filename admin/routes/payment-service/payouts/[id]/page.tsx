import { CardsPage, named, NotRead } from "../../../../components/cards"
import {
  PayoutDetails,
  PayoutHistory,
  PayoutLinks,
  PayoutVerdict,
  WHILE_SENT,
} from "../../../../components/payouts/payout"
import type { Reads } from "../../../../lib/answers"
import { formatForTitle } from "../../../../lib/format"
import { loading, useEntry } from "../../../../lib/sdk"

const PayoutPage = () => {
  const answer = useEntry("payouts", WHILE_SENT)
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

export const loader = loading("payouts")

export const handle = named<Reads[`payouts/${string}`]>(({ payout }) => {
  const { rubles, card } = formatForTitle()
  return `${rubles(payout.amount)} → ${card(payout)}`
})

export default PayoutPage
