import { useParams } from "react-router-dom"

import { DeedDrawer } from "../../../../../components/deed-drawer"
import { MarkPayout } from "../../../../../components/payouts/mark-payout"
import { usePayout } from "../../../../../lib/payout-queries"
import type { Payout } from "../../../../../lib/payouts-api"
import { useMayDo } from "../../../../../lib/use-may-do"

const MarkPayoutPage = () => {
  const { data } = usePayout(useParams().id ?? "")
  return data ? <MarkPayoutDrawer payout={data.payout} /> : null
}

const MarkPayoutDrawer = ({ payout }: { payout: Payout }) => {
  const may = useMayDo(payout)
  return (
    <DeedDrawer isPossible={may("mark") || may("approve_mark")}>
      <MarkPayout payout={payout} />
    </DeedDrawer>
  )
}

export default MarkPayoutPage
