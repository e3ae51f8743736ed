import type { ComponentType } from "react"
import { useParams } from "react-router-dom"

import { usePayout } from "../../lib/payout-queries"
import type { Payout, PayoutAction } from "../../lib/api"
import { useMayDo } from "../../lib/use-may-do"
import { DeedDrawer } from "../deed-drawer"

interface PayoutDrawerProps {
  /** The deeds that the form is for; any of them opens it. */
  deeds: PayoutAction[]
  Form: ComponentType<{ payout: Payout }>
}

/** The drawer of a deed on the payout in the address. */
export const PayoutDrawer = (drawer: PayoutDrawerProps) => {
  const { data } = usePayout(useParams().id ?? "")
  return data ? <Content payout={data.payout} {...drawer} /> : null
}

const Content = ({ payout, deeds, Form }: PayoutDrawerProps & { payout: Payout }) => {
  const may = useMayDo(payout)
  return (
    <DeedDrawer isPossible={deeds.some(may)}>
      <Form payout={payout} />
    </DeedDrawer>
  )
}
