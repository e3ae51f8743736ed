import { useParams } from "react-router-dom"

import { DeedDrawer } from "../../../../../components/deed-drawer"
import { SendAgain } from "../../../../../components/payouts/send-again"
import { usePayout } from "../../../../../lib/payout-queries"
import type { Payout } from "../../../../../lib/payouts-api"
import { useMayDo } from "../../../../../lib/use-may-do"

const SendAgainPage = () => {
  const { data } = usePayout(useParams().id ?? "")
  return data ? <SendAgainDrawer payout={data.payout} /> : null
}

const SendAgainDrawer = ({ payout }: { payout: Payout }) => {
  const may = useMayDo(payout)
  return (
    <DeedDrawer isPossible={may("send_again")}>
      <SendAgain payout={payout} />
    </DeedDrawer>
  )
}

export default SendAgainPage
